"""What is wrong with a submission that no mistake explains is said as far as it was observed, and no further."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from grader.checks import refusal
from grader.diagnosis.locating.evidence import Answer
from grader.diagnosis.locating.search import located
from grader.diagnosis.models import MistakeModels, Probe
from grader.diagnosis.observation import Observation, observation_of
from grader.diagnosis.trusted import Trusted
from grader.model import LANGUAGES, Message
from grader.texts import area, say

Array = np.ndarray
SIZES = ((3, 5, 4), (2, 7, 3), (4, 2, 5), (5, 3, 2))  # h, L, S


def located_in(
    right: Callable[..., Any],
    wrong: Callable[..., Any],
    probes: Sequence[Probe],
    axes: dict[str, str],
    observe: Callable[[Any, Any], Any] = lambda subject, probe: subject.f(**probe),
) -> Message | None:
    """What is said of `wrong`, as f(x), beside `right`."""
    models = MistakeModels(
        path=Path("mistakes.py"),
        stages={},
        mistakes={},
        build=lambda **_options: None,
        probes=tuple(probes),
        fresh_probe=lambda _rng: {},
        small_probes=lambda: iter(()),
        observe=observe,
        styles=(),
        calls={"": "f(x)"},
        axes=axes,
    )

    def asker(function: Callable[..., Any]) -> Callable[[Probe], Observation]:
        def ask(probe: Probe) -> Observation:
            with np.errstate(all="ignore"):
                return observation_of(observe, Trusted(SimpleNamespace(f=function, __file__=__file__)), probe)

        return ask

    ask_right, ask_wrong = asker(right), asker(wrong)
    answers = [Answer(probe, ask_right(probe), ask_wrong(probe)) for probe in probes]
    return located(models, answers, ask_right, ask_wrong)


def _said(message: Message | None) -> str:
    if message is None:
        return ""
    english, _chinese = (say(message, language) for language in LANGUAGES)
    return english


def _scores(*sizes: tuple[int, ...], whole: bool = False) -> list[Probe]:
    rng = np.random.default_rng(0)
    return [{"x": rng.integers(-9, 9, size) if whole else rng.standard_normal(size)} for size in sizes or SIZES]


def _softmax(x: Array, axis: int = -1) -> Array:
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def _only_at(index: int, *, wrong: bool) -> Callable[[Array], Array]:
    """Answers that are right, or wrong, at one entry of the first axis alone."""

    def f(x: Array) -> Array:
        off = np.full(len(x), not wrong)
        off[index] = wrong
        return x + off[:, None, None] * x[::-1].sum()

    return f


# a wrong function in place of x -> x with the axes (h, L, S), and the sentence about it
OF_NUMBERS: dict[str, tuple[Callable[[Array], Any], str]] = {
    "axis_of_one": (
        lambda x: x[None],
        (
            "Where f(x) is wrong, the numbers are right, but axes of length 1 are too many or missing: "
            "the shape is (1, 5, 3, 2), expected (5, 3, 2) = (h, L, S)."
        ),
    ),
    "permuted": (
        lambda x: x.transpose(1, 0, 2),
        "Where f(x) is wrong, the numbers are right, but the axes stand in the order (L, h, S); expected (h, L, S).",
    ),
    "reversed": (
        lambda x: x[:, ::-1],
        "Where f(x) is wrong, the numbers are right, but they run backwards along the axis L.",
    ),
    "reshaped": (
        lambda x: x.reshape(len(x), -1),
        (
            "Where f(x) is wrong, the numbers and their order are right, but the shape is not: "
            "(5, 6), expected (5, 3, 2) = (h, L, S)."
        ),
    ),
    "moved_along": (
        lambda x: np.roll(x, 1, axis=1),
        "Where f(x) is wrong, the right numbers are all there, but along the axis L they stand in another order.",
    ),
    "moved": (
        lambda x: x.transpose(1, 0, 2).reshape(x.shape),
        "Where f(x) is wrong, the right numbers are all there, but in other places.",
    ),
    "summed": (
        lambda x: x.sum(axis=0),
        "Where f(x) is wrong, the axis h is missing: the result is the sum over it.",
    ),
    "averaged": (
        lambda x: x.mean(axis=2),
        "Where f(x) is wrong, the axis S is missing: the result is the mean over it.",
    ),
    "first_only": (lambda x: x[0], "Where f(x) is wrong, the axis h is missing: the result is its first entry alone."),
    "last_only": (
        lambda x: x[:, -1],
        "Where f(x) is wrong, the axis L is missing: the result is its last entry alone.",
    ),
    "axis_missing": (lambda x: x.max(axis=1) * 7, "Where f(x) is wrong, the result lacks the axis L."),
    "axis_length": (
        lambda x: x[:, :-1],
        "Where f(x) is wrong, only the axis L has a wrong length, for example 4 where 5 is expected.",
    ),
    "shape": (
        lambda x: np.ones((9, 9, 9)),
        (
            "Where f(x) is wrong, the shape is wrong already, for example (9, 9, 9) where (5, 3, 2) = (h, L, S) is "
            "expected."
        ),
    ),
    "nan": (lambda x: x**0.5, "Where f(x) is wrong, the result holds NaN (not a number)."),
    "infinite": (lambda x: x / 0, "Where f(x) is wrong, the result holds an infinite number."),
    "cut": (
        lambda x: x.astype(int),
        "Where f(x) is wrong, the numbers are right but for their fractions, which are cut off.",
    ),
    "to_whole": (
        lambda x: np.round(x, 0),
        "Where f(x) is wrong, the numbers are right but rounded to whole ones.",
    ),
    "to_digits": (
        lambda x: np.round(x, 2),
        "Where f(x) is wrong, the numbers are right but rounded; places behind the point: 2.",
    ),
    "input_added": (
        lambda x: x + x[:, ::-1],
        "Where f(x) is wrong, the numbers of x were added to the right ones.",
    ),
    "nothing": (lambda x: None, "Where f(x) is wrong, it returns nothing (None)."),
    "listed": (
        lambda x: [*x],
        "Where f(x) is wrong, it returns a list or a tuple of Python; expected is one array.",
    ),
    "rounded": (
        lambda x: x.astype(np.float32),
        "f(x): the result is float32 where float64 is expected, so that its last digits are lost.",
    ),
    "nearly": (
        lambda x: x * (1 + 1e-7),
        "f(x): every result that was tried is right up to a small error; the largest is 1e-07.",
    ),
    "kind": (
        lambda x: np.ceil(3 * x).astype(int),
        "Where f(x) is wrong, the result holds whole numbers (int64) where fractions (float64) are expected.",
    ),
    "factor": (lambda x: x / x.shape[2] ** 0.5, "Where f(x) is wrong, every number is 1/√S times the expected one."),
    "some_factor": (
        lambda x: x * x.max(),
        "Where f(x) is wrong, all numbers of a result are off by one and the same factor, for example 1.96.",
    ),
    "sign": (lambda x: -x, "Where f(x) is wrong, every number has the wrong sign."),
    "signs": (lambda x: (x**2) ** 0.5, "Where f(x) is wrong, the numbers are right but for their signs."),
    "offset": (lambda x: x + 0.25, "Where f(x) is wrong, every number differs from the expected one by the same 0.25."),
    "same_along": (
        lambda x: np.repeat(x[:, 1:2], x.shape[1], axis=1),
        "Where f(x) is wrong, all entries along the axis L are the same, and they should not be.",
    ),
    "first_wrong": (
        _only_at(0, wrong=True),
        "Where f(x) is wrong, only the first entry along the axis h is wrong.",
    ),
    "last_wrong": (
        _only_at(-1, wrong=True),
        "Where f(x) is wrong, only the last entry along the axis h is wrong.",
    ),
    "first_right": (
        _only_at(0, wrong=False),
        "Where f(x) is wrong, only the first entry along the axis h is right.",
    ),
    "last_right": (
        _only_at(-1, wrong=False),
        "Where f(x) is wrong, only the last entry along the axis h is right.",
    ),
    "leak": (
        lambda x: x + 0.1 * x.mean(axis=0),
        "f(x): a change of x at h=2 also changes the result at h=0, which must not depend on it.",
    ),
    "ignored_slice": (
        lambda x: np.where(np.arange(x.shape[2]) == 0, 0.5, np.sin(3 * x)),
        "f(x): a change of x at S=0 changes nothing in the result, and it should.",
    ),
}


@pytest.mark.parametrize(("key", "wrong", "sentence"), [(k, *v) for k, v in OF_NUMBERS.items()], ids=OF_NUMBERS)
def test_numbers_that_are_wrong_are_located(key: str, wrong: Callable[[Array], Any], sentence: str) -> None:
    """The first property that is wrong is told, with the names of the axes and a number where one helps."""
    message = located_in(lambda x: x, wrong, _scores(), {"x": "h L S", "result": "h L S"})
    assert message is not None
    assert message.key == f"located.{key}"
    assert _said(message) == sentence


OF_WEIGHTS: dict[str, tuple[Callable[[Array], Array], str]] = {
    "sums_elsewhere": (
        lambda x: _softmax(x, 1),
        "Where f(x) is wrong, the weights sum to 1 over L; they should sum to 1 over S.",
    ),
    "row_sums": (
        lambda x: 0.5 * _softmax(x),
        "Where f(x) is wrong, the weights do not sum to 1 over S; one of the sums is 0.5.",
    ),
    "negative": (
        lambda x: 3 * _softmax(x) - 2 / x.shape[-1],
        "Where f(x) is wrong, some weights are below 0, for example -0.4222.",
    ),
    "temperature": (
        lambda x: _softmax(x * x.shape[-1]),
        "Where f(x) is wrong, the weights are those of scores multiplied by S.",
    ),
}


@pytest.mark.parametrize(("key", "wrong", "sentence"), [(k, *v) for k, v in OF_WEIGHTS.items()], ids=OF_WEIGHTS)
def test_weights_that_are_none_are_located(key: str, wrong: Callable[[Array], Array], sentence: str) -> None:
    """Where right code gives weights, their sums, signs and the scale of the scores are looked at."""
    message = located_in(_softmax, wrong, _scores(), {"x": "h L S", "result": "h L S"})
    assert message is not None
    assert message.key == f"located.{key}"
    assert _said(message) == sentence


# --- masks, conditions, dependence --------------------------------------------------------------------------------


def _masked(x: Array, allowed: Array | None = None) -> Array:
    return _softmax(x if allowed is None else np.where(allowed, x, -np.inf))


def _masked_probes() -> list[Probe]:
    rng = np.random.default_rng(1)
    found: list[Probe] = []
    for h, L, S in ((3, 5, 4), (2, 7, 6), (4, 2, 5), (5, 3, 7)):
        allowed = rng.random((L, S)) < 0.5
        allowed[:, :2], allowed[:, -1] = True, False
        scores = rng.standard_normal((h, L, S))
        masks = (None, allowed, np.broadcast_to(allowed, scores.shape).copy())
        found += [{"x": scores, "allowed": mask} for mask in masks]
    return found


OF_MASKS: dict[str, tuple[Callable[..., Array], str]] = {
    "weight_for_blocked": (
        lambda x, allowed: _masked(x, allowed) if allowed is None else _softmax(np.where(allowed, x, 0)),
        "Where f(x) is wrong, there is weight in places where exactly 0 is expected.",
    ),
    "only_with": (
        lambda x, allowed: _masked(x if allowed is None else np.sin(3 * x), allowed),
        "f(x) is wrong only where allowed is given; without it everything is right.",
    ),
    "only_without": (
        lambda x, allowed: _masked(np.sin(3 * x) if allowed is None else x, allowed),
        "f(x) is wrong only where allowed is not given; with it everything is right.",
    ),
    "only_more_axes": (
        lambda x, allowed: _masked(x if allowed is None or allowed.ndim == 2 else np.sin(3 * x), allowed),
        "f(x) is wrong only where allowed has more than two axes; with fewer everything is right.",
    ),
    "blocked_counts": (
        lambda x, allowed: _masked(x * (1 + x[..., -1:] ** 2), allowed),
        "f(x): a change of numbers of x that allowed blocks still changes the result.",
    ),
}


@pytest.mark.parametrize(("key", "wrong", "sentence"), [(k, *v) for k, v in OF_MASKS.items()], ids=OF_MASKS)
def test_faults_with_masks_are_located(key: str, wrong: Callable[..., Array], sentence: str) -> None:
    """Right without a mask and wrong with one, and numbers that reach past a mask, are told."""
    message = located_in(_masked, wrong, _masked_probes(), {"x": "h L S", "allowed": "h L S", "result": "h L S"})
    assert message is not None
    assert message.key == f"located.{key}"
    assert _said(message) == sentence


def _kinds() -> list[Probe]:
    """Inputs of several kinds: whole and large numbers, axes of length 1, a flag."""
    return [
        *_scores((3, 5, 4), (2, 7, 3), (1, 5, 4), (1, 2, 3), (4, 4, 5), (5, 5, 3)),
        *_scores((3, 5, 6), (2, 4, 3), whole=True),
        *({"x": 1000 * probe["x"]} for probe in _scores((3, 5, 6), (2, 4, 7))),
    ]


OF_KINDS: dict[str, tuple[Callable[[Array], bool], str]] = {
    "only_whole": (
        lambda x: x.dtype.kind == "i",
        "f(x) is wrong only where x holds whole numbers; for floats everything is right.",
    ),
    "only_large": (
        lambda x: abs(x).max() > 200,
        "f(x) is wrong only where x holds numbers beyond ±100; for smaller ones everything is right.",
    ),
    "only_longer": (
        lambda x: len(x) > 1,
        "f(x) is wrong only where h is larger than 1; with h=1 everything is right.",
    ),
    "only_of_one": (
        lambda x: len(x) == 1,
        "f(x) is wrong only where h is 1 or less; with a larger h everything is right.",
    ),
    "only_equal": (
        lambda x: x.shape[0] == x.shape[1],
        "f(x) is wrong only where h and L are equal; where they differ everything is right.",
    ),
    "only_different": (
        lambda x: x.shape[0] != x.shape[1],
        "f(x) is wrong only where h and L differ; where they are equal everything is right.",
    ),
}


@pytest.mark.parametrize(("key", "when", "sentence"), [(k, *v) for k, v in OF_KINDS.items()], ids=OF_KINDS)
def test_what_failing_inputs_have_in_common_is_told(key: str, when: Callable[[Array], bool], sentence: str) -> None:
    """A condition is named where all inputs that meet it fail, all others are right, and there are enough of both."""

    def wrong(x: Array) -> Array:
        return np.sin(3 * x) if when(x) else x

    message = located_in(lambda x: x, wrong, _kinds(), {"x": "h L S", "result": "h L S"})
    assert message is not None
    assert message.key == f"located.{key}"
    assert _said(message) == sentence


def test_a_flag_that_is_set_is_a_condition() -> None:
    """Wrong only with bias=True is told as such."""
    probes = [{"d": d, "bias": bias} for d in (3, 5, 6) for bias in (False, True)]
    wrong = located_in(lambda d, bias: 4 * d * d + 4 * d * bias, lambda d, bias: 4 * d * d + bias * d**3, probes, {})
    assert _said(wrong) == "f(x) is wrong only with bias=True; otherwise everything is right."


def test_a_count_that_is_off_by_a_factor_is_located() -> None:
    """Whole numbers are compared too, and the factor is named by the inputs."""
    probes = [{"d": d, "h": h} for d, h in ((6, 2), (12, 3), (20, 5))]
    message = located_in(lambda d, h: 4 * d * d, lambda d, h: 4 * d * d // h, probes, {})
    assert _said(message) == "Where f(x) is wrong, every number is 1/h times the expected one."


def _causal(x: Array) -> Array:
    return np.cumsum(x, axis=0)


def test_a_look_into_the_future_is_located() -> None:
    """Where right code sees what came before, an earlier position that moves with a later one is told as that."""
    message = located_in(
        _causal, lambda x: _causal(x) + 0.1 * x.mean(axis=0), _scores((5, 3), (4, 2)), {"x": "L d", "result": "L d"}
    )
    assert _said(message) == (
        "f(x): a change of x at L=4 also changes the result at L=0, an earlier position, which must not see it."
    )


def test_a_leak_without_an_axis_in_common_names_the_place() -> None:
    """Where the changed axis is none of the result's, the whole place is told."""
    probes = _scores((3, 5), (4, 6))
    message = located_in(lambda x: x[:, 0] ** 2, lambda x: x[:, 0] + x[:, -1], probes, {"x": "L d", "result": "L"})
    assert _said(message) == "f(x): a change of x at d=4 also changes the result at L=0, which must not depend on it."


def test_an_input_that_is_ignored_is_located() -> None:
    """An input that right code depends on as a whole, and the submission not at all, is told."""
    probes = [{"x": np.array([float(i), i * i + 1.0])} for i in range(2, 6)]
    message = located_in(
        lambda x: x[:, None] * [1.0, 2.0],
        lambda x: np.ones((2, 2)) * [[3.0, 1.0], [0.5, 2.0]],
        probes,
        {"x": "L", "result": "S d"},
    )
    assert _said(message) == "f(x): a change of x changes nothing in the result, and it should."
    whole = located_in(lambda x: np.array([x.sum(), x.prod()]), lambda x: np.array([1.0, 7.0]), probes, {"result": "d"})
    assert _said(whole) == "f(x): a change of x changes nothing in the result, and it should."


def test_what_happens_beside_the_numbers_is_located() -> None:
    """Right results with an argument changed, and refusals that are none, are told where nothing else is wrong."""

    def in_place(x: Array) -> Array:
        x += 1
        return x - 1

    assert _said(located_in(lambda x: x, in_place, _scores(), {})) == (
        "f(x): the results are right, but the argument x is changed in place."
    )

    def observe(subject: Any, probe: Probe) -> Any:
        return refusal(lambda: subject.f(probe["n"])) if probe["n"] < 1 else subject.f(probe["n"])

    def right(n: int) -> int:
        if n < 1:
            raise ValueError(n)
        return n

    message = located_in(right, lambda n: n, [{"n": n} for n in (3, 2, 0, -1)], {}, observe)
    assert _said(message) == (
        "f(x): what has to be answered is answered rightly; only what must be refused is not refused as the task says."
    )

    def divided_first(n: int) -> int:
        return right(n) if 6 % n == 0 else n

    some = located_in(right, divided_first, [{"n": n} for n in (3, 2, 0, -1, -2)], {}, observe)
    assert _said(some) == (
        "f(x) is wrong only for some of the inputs that must be refused: "
        "with n = 0 it gives ZeroDivisionError: integer modulo by zero."
    )
    let_through = located_in(right, lambda n: n if n == -1 else right(n), [{"n": n} for n in (3, 0, -1)], {}, observe)
    assert _said(let_through).endswith("with n = -1 it gives -1.")


def test_what_right_code_could_move_is_no_leak() -> None:
    """A factor that is 0 in one input lets nothing through there, and yet the result depends on what it is for."""

    def right(x: Array, g: Array) -> Array:
        return x * g[:, None]

    probes = [{"x": probe["x"][0], "g": np.array([1.0, *[0.0] * (probe["x"].shape[1] - 1)])} for probe in _scores()]
    axes = {"x": "h L", "g": "h", "result": "h L"}
    by_observe = lambda subject, probe: subject.f(**probe)  # noqa: E731
    said = _said(located_in(right, lambda x, g: x + g[:, None], probes, axes, by_observe))
    assert "must not" not in said
    assert "changes nothing" not in _said(located_in(right, lambda x, g: x * g.clip(0, 1)[:, None] * 2, probes, axes))


def test_wrong_numbers_beside_exceptions_are_not_spoken_of_alone() -> None:
    """Where some wrong answers are exceptions, nothing is said of all of them by their numbers."""

    def doubled_or_lost(x: Array) -> Array:
        return 2 * x if len(x) > 2 else x[len(x)]

    said = _said(located_in(lambda x: x, doubled_or_lost, _scores((1, 2, 3), (2, 3, 4), (3, 4, 5), (4, 3, 2)), {}))
    assert said.startswith("For some inputs f(x) gives a wrong result, for others it raises IndexError")


def test_a_part_is_looked_at_where_the_first_says_nothing() -> None:
    """Where nothing can be said of the first wrong part of an answer, the next one is looked at."""

    def right(x: Array) -> tuple[Array, Array]:
        weights = _softmax(x)
        return np.sin(weights.cumsum(axis=0)), weights

    def first_row_is_lost(x: Array) -> tuple[Array, Array]:
        out, weights = right(x)
        weights[..., 0, :] = 0
        return np.cos(out), weights

    message = located_in(right, first_row_is_lost, _scores(), {"1": "h L S"})
    assert _said(message).startswith("Where f(x)[1] is wrong, the weights do not sum to 1 over S")


def test_a_size_of_exactly_one_is_a_condition() -> None:
    """Wrong for one head is told where no head at all is refused as it should be."""
    probes = [{"d": d, "h": h} for d, h in ((6, 2), (12, 1), (20, 0), (5, 1), (9, -3), (8, 4))]
    message = located_in(lambda d, h: d * h, lambda d, h: d * d - 7 if h == 1 else d * h, probes, {})
    assert _said(message) == "f(x) is wrong only where h is 1; everywhere else it is right."


def _raises(x: Array) -> Array:
    if x.shape[1] > 4:
        raise ValueError(x.shape)
    return x


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda x: x.sums(), "Where f(x) should give a result and does not, AttributeError is raised"),
        (
            lambda x: np.sin(3 * x) if len(x) < 4 else x.sums(),
            "For some inputs f(x) gives a wrong result, for others it raises AttributeError",
        ),
        (_raises, "f(x) refuses inputs that it should answer: your code raises ValueError for them"),
    ],
)
def test_an_exception_in_place_of_an_answer_is_located(wrong: Callable[[Array], Array], sentence: str) -> None:
    """Its class and its line are told, and whether the code itself raised it on purpose."""
    said = _said(located_in(lambda x: x, wrong, _scores(), {"x": "h L S", "result": "h L S"}))
    assert re.fullmatch(re.escape(sentence) + r" \(line \d+\)\.", said)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda d: f"{d * d:,}", "Where f(x) is wrong, it returns a text; expected is a value to compute with."),
        (lambda d: d * d / 1, "Where f(x) is wrong, it returns a float; expected is a whole number."),
        (
            lambda: 1,
            "f(x) raises a TypeError before its first line runs: its parameters are not those of the task.",
        ),
    ],
)
def test_another_kind_of_answer_than_a_number_is_located(wrong: Callable[..., Any], sentence: str) -> None:
    """A text or a float in place of a whole number is told, and a function that cannot be called like the task's."""
    probes = [{"d": d} for d in (3, 5, 6)]
    assert _said(located_in(lambda d: d * d, wrong, probes, {})) == sentence


def test_the_part_that_is_wrong_first_is_named() -> None:
    """Of several results the first that is wrong is spoken of, by its name or its number."""
    probes = _scores()
    axes = {"x": "h L S", "out": "h L S"}
    message = located_in(
        lambda x: {"weights": x, "out": x}, lambda x: {"weights": x, "out": 2 * x}, probes, {**axes, "weights": "h L S"}
    )
    assert _said(message) == "Where f(x) → out is wrong, every number is 2 times the expected one."
    assert _said(located_in(lambda x: (x, x), lambda x: (x, -x), probes, axes)) == (
        "Where f(x)[1] is wrong, every number has the wrong sign."
    )


@pytest.mark.parametrize(
    "wrong",
    [
        lambda x: x,
        lambda x: np.sin(3 * x) if x.shape[1] > 4 else x,
        lambda x: 2 * x if x.shape == (3, 5, 4) else np.sin(3 * x),
        lambda x: {"x": x},
    ],
)
def test_nothing_is_claimed_that_was_not_seen(wrong: Callable[[Array], Any]) -> None:
    """Right answers, answers of another kind, and a property that one of the failing inputs lacks are not spoken of."""
    assert located_in(lambda x: x, wrong, _scores(), {"x": "h L S", "result": "h L S"}) is None


def test_one_failing_input_is_too_little_to_speak_of_all() -> None:
    """A factor seen once is no factor."""
    message = located_in(lambda x: x, lambda x: 2 * x if len(x) == 3 else x, _scores(), {"x": "h L S"})
    assert message is None or not message.key.endswith("factor")


def test_every_sentence_is_proved_here() -> None:
    """No sentence of located.toml lacks a test."""
    elsewhere = {"only_true", "only_one", "future", "ignored", "changed", "refusals", "some_refusals"}
    elsewhere |= {"raised", "raised_for_some", "refused", "not_callable", "text", "float"}
    elsewhere |= {"only_option", "part_missing", "part_only"}  # in test_located_torch.py
    assert set(area("located")) == {*OF_NUMBERS, *OF_WEIGHTS, *OF_MASKS, *OF_KINDS} | elsewhere
