"""Two observations are the same where nobody could tell the behaviours apart, and comparing never raises."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from grader.checks import Refusal
from grader.diagnosis.leaves import MAX_LEAVES, MAX_NUMBERS, Plain, leaves_of, short_form
from grader.diagnosis.observation import (
    Observation,
    distance,
    first_difference,
    is_unusable,
    observation_of,
    same,
    shared_faults,
    text_fits,
)
from grader.sandbox.client import LocalSubject, RemoteSubject
from grader.sandbox.wire import Build, ExceptionReport, Opaque

ONE_TO_SIX = np.arange(1.0, 7.0).reshape(2, 3)
TENSOR = torch.from_numpy(ONE_TO_SIX)


def _seen(value: object) -> Observation:
    return Observation(leaves_of(value))


def _raised(*types: str, text: str = "") -> Observation:
    return Observation(raised=ExceptionReport((*types, "Exception", "BaseException"), text))


SAME = [
    (ONE_TO_SIX, ONE_TO_SIX * (1 + 1e-9)),
    (ONE_TO_SIX, ONE_TO_SIX.astype(np.float32)),
    (ONE_TO_SIX, ONE_TO_SIX.astype(int)),
    (np.array([0.0, 1.0]), np.array([1e-30, 1.0])),
    (np.array([np.nan, np.inf, -np.inf]), np.array([np.nan, np.inf, -np.inf])),
    ((1, ONE_TO_SIX), [1, ONE_TO_SIX]),
    ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    (0.1 + 0.2, 0.3),
    (np.float64(2), 2.0),
    (np.int64(2), 2),
    (True, np.True_),
    (np.zeros((0, 3)), np.zeros((0, 3))),
    (Opaque("student.Matrix"), Opaque("student.Matrix")),
    (TENSOR, TENSOR.clone().requires_grad_()),
    (TENSOR, TENSOR.T.contiguous().T),
    (TENSOR, TENSOR.float()),
    (TENSOR, TENSOR.bfloat16()),
    (TENSOR, TENSOR.long()),
    (Refusal("as asked", "ValueError: 10 and 3"), Refusal("as asked", "ValueError: 3 does not divide 10")),
]

DIFFERENT_IN_KIND = [
    (ONE_TO_SIX, ONE_TO_SIX.T),
    (ONE_TO_SIX, ONE_TO_SIX.ravel()),
    (ONE_TO_SIX, ONE_TO_SIX.tolist()),
    (ONE_TO_SIX, ONE_TO_SIX + 0j),
    (ONE_TO_SIX > 2, (ONE_TO_SIX > 2).astype(float)),
    (ONE_TO_SIX > 2, ONE_TO_SIX > 3),
    (np.array([np.nan, 1.0]), np.array([1.0, np.nan])),
    (np.array([np.inf]), np.array([-np.inf])),
    (np.array([np.inf]), np.array([1e308])),
    (np.array(1.0), 1.0),
    (2, 2.0),
    (1, True),
    (21233664, 21233665),
    (None, 0),
    (None, "None"),
    ("a", b"a"),
    ((), {}),
    ((1, 2), (1, 2, 3)),
    ({"a": 1}, {"b": 1}),
    (Opaque("student.Matrix"), Opaque("student.Tensor")),
    (TENSOR, ONE_TO_SIX),
    (TENSOR, TENSOR.T),
    (TENSOR, TENSOR > 2),
    (torch.tensor(1.0), 1.0),
    (Refusal("as asked", "ValueError"), Refusal("text lacks", "ValueError")),
    (Refusal("none", "ValueError"), 3),
]


@pytest.mark.parametrize(("a", "b"), SAME)
def test_values_that_nobody_teaches_apart_are_the_same(a: object, b: object) -> None:
    """Rounding, precision, whole numbers as floats in arrays, and lists for tuples make no difference."""
    assert same(_seen(a), _seen(b))
    assert same(_seen(b), _seen(a))


@pytest.mark.parametrize(("a", "b"), DIFFERENT_IN_KIND)
def test_another_kind_of_value_is_infinitely_far(a: object, b: object) -> None:
    """Shape, kind of dtype, pattern of NaN and type are compared before any number."""
    assert distance(_seen(a), _seen(b)) == math.inf
    assert distance(_seen(b), _seen(a)) == math.inf


def test_distance_is_relative_to_the_larger_number() -> None:
    """Large, ordinary and small arrays are judged alike, and a zero is no reason for alarm."""
    for scale in (1e-12, 1.0, 1e12):
        assert distance(_seen(ONE_TO_SIX * scale), _seen(ONE_TO_SIX * scale * 1.01)) == pytest.approx(0.01, rel=0.02)
    masked = np.array([1.0, -1e9])
    assert distance(_seen(masked), _seen(masked + np.array([0.5, 0.0]))) == pytest.approx(1 / 3)


def test_exceptions_are_compared_by_class() -> None:
    """A subclass counts as its base, but not as what nearly every exception is."""
    assert same(_raised("ValueError", text="10 and 3"), _raised("ValueError", text="other words"))
    assert same(_raised("AxisError", "ValueError", "IndexError"), _raised("ValueError"))
    assert not same(_raised("ValueError"), _raised("TypeError"))
    assert not same(_raised("Exception"), _raised("TypeError"))
    assert not same(_raised("ValueError"), _seen(None))


def test_texts_fit_by_their_numbers() -> None:
    """Other words for the same two or more numbers fit, and so do two that trip over None or are raised on purpose."""

    def report(text: str) -> ExceptionReport:
        return ExceptionReport(("ValueError",), text)

    assert text_fits(report("cannot  reshape"), report("cannot reshape"))
    assert text_fits(report("size 5 is different from 6"), report("6 (dim 5) != 5"))
    assert text_fits(report("~: 'NoneType'"), report("-: 'int' and 'NoneType'"))
    own = [ExceptionReport(("ValueError",), text, code=f"raise ValueError({text!r})") for text in ("one", "other")]
    assert text_fits(*own)
    assert not text_fits(own[0], report("other"))
    assert not text_fits(report("axis 3"), report("size 3"))
    assert not text_fits(report("5 and 6"), report("5 and 7"))


def test_first_difference_is_the_outermost() -> None:
    """The path leads to the first leaf that differs, and to the whole where its form differs."""
    good = _seen({"out": ONE_TO_SIX, "weights": (ONE_TO_SIX, 1)})
    assert first_difference(good, good) is None
    assert first_difference(good, _seen({"out": ONE_TO_SIX, "weights": (ONE_TO_SIX, 2)})) == ("weights", 1)
    assert first_difference(good, _seen({"out": ONE_TO_SIX, "weights": (ONE_TO_SIX,)})) == ("weights",)
    assert first_difference(good, _seen(ONE_TO_SIX)) == ()


def test_what_is_too_large_is_not_kept() -> None:
    """Values too large to keep three times for each probe become one leaf, which no model has."""
    for value in ([0] * (MAX_LEAVES + 1), [np.zeros(MAX_NUMBERS)] * 2):
        assert leaves_of(value) == {(): Plain("too large")}
    assert leaves_of((1, np.zeros(MAX_NUMBERS + 1)))[1,] == Plain("array")


def _observed(function: Any, *, change: bool = False) -> Observation:
    def observe(subject: Any, probe: Any) -> object:
        first, second = subject.pair(probe["x"])
        return first + second

    def pair(x: Any) -> object:
        x += 1 if change else 0
        return function(x)

    return observation_of(observe, LocalSubject(SimpleNamespace(pair=pair)), {"x": ONE_TO_SIX})


def test_an_answer_of_another_form_is_unusable_not_a_fault() -> None:
    """What the author's `observe` cannot take apart is the submission's answer, not an error of the course."""
    assert not is_unusable(_observed(lambda x: (x, x)))
    answers: list[object] = [None, 3, (1, 2, 3), ({}, 1), ([], 1.0), (ONE_TO_SIX, np.zeros(7))]
    for answer in answers:
        assert is_unusable(_observed(lambda _x, answer=answer: answer))
    shown: list[tuple[object, str]] = [(None, "None"), (0.5, "0.5"), ([1], "list, len 1"), (Opaque("Matrix"), "Matrix")]
    for answer, text in shown:
        leaf = _observed(lambda _x, answer=answer: answer).leaves[()]
        assert isinstance(leaf, Plain)
        assert leaf.text == text


def test_a_changed_argument_is_part_of_the_observation() -> None:
    """The same answer with an input changed in place is another behaviour, whatever the argument is called."""
    kept, changed = _observed(lambda x: (x, x)), _observed(lambda x: (x - 1, x - 1), change=True)
    assert changed.changed == ("x",)
    assert distance(kept, changed) == math.inf
    assert same(changed, Observation(changed.leaves, changed=("",)))
    assert not same(changed, Observation(changed.leaves, changed=("y",)))


def test_arguments_changed_through_an_object_are_part_of_the_observation() -> None:
    """A method of an object that stays, and one that is given back, count like a function."""

    class Layer:
        def forward(self, x: Any) -> Any:
            x *= 2
            return x

    def observe(subject: Any, probe: Any) -> object:
        layer = subject.make("Layer")
        return subject.use(layer), layer.call("forward", probe["x"])

    namespace = SimpleNamespace(Layer=Layer, use=lambda layer: type(layer).__name__)
    seen = observation_of(observe, LocalSubject(namespace), {"x": ONE_TO_SIX})
    assert seen.changed == ("x",)
    assert seen.leaves[0,] == Plain("str", "5 'Layer'")


def test_short_forms_are_the_same_in_every_language() -> None:
    """Type and size of what is large, a described object as it would be written, and anything else as it is."""
    shown: list[tuple[object, str]] = [
        (ONE_TO_SIX, "ndarray (2, 3) float64"),
        (TENSOR.bfloat16(), "Tensor (2, 3) bfloat16"),
        (Build("torch.nn.Linear", {"in_features": 2, "bias": False}), "nn.Linear(in_features=2, bias=False)"),
        (Build("torch.nn.Dropout", {"p": 0.5}, training=True), "nn.Dropout(p=0.5).train()"),
        ((1, 2), "tuple, len 2"),
        ("a", "'a'"),
    ]
    assert [short_form(value) for value, _ in shown] == [text for _, text in shown]


def test_unwritten_functions_are_not_asked(remote: Callable[..., RemoteSubject]) -> None:
    """A missing function, and one that raises NotImplementedError, are marked."""
    subject = remote("def stub():\n    raise NotImplementedError")
    assert not observation_of(lambda subject, _probe: subject.stub(), subject, {}).asked
    assert not observation_of(lambda subject, _probe: subject.missing(), subject, {}).asked


_arrays = hnp.arrays(
    st.sampled_from(["?", "i1", "u8", "f2", "f4", "f8", "c8", "c16"]),
    hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3),
)
_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.complex_numbers() | st.text() | st.binary() | _arrays,
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text() | st.integers(), inner),
    max_leaves=8,
)


@given(_values, _values)
def test_comparing_never_raises(a: object, b: object) -> None:
    """Any two values can be compared, equally in both directions, and each is the same as itself."""
    one, other = _seen(a), _seen(b)
    assert distance(one, one) == 0.0
    assert distance(one, other) == distance(other, one) >= 0.0
    first_difference(one, other)


def test_each_of_two_mistakes_shares_a_fault_with_both() -> None:
    """Of two mistakes at once, each is wrong in a respect of what is seen, and one that is no part of it in none."""
    right = _seen((TENSOR, ONE_TO_SIX))
    both = _seen((ONE_TO_SIX + 1, ONE_TO_SIX))  # an array in place of a tensor, and other numbers
    array, other_numbers = _seen((ONE_TO_SIX, ONE_TO_SIX)), _seen((TENSOR + 1, ONE_TO_SIX))
    transposed, raising = _seen((TENSOR.T, ONE_TO_SIX)), _raised("ValueError")
    assert shared_faults(both, array, right) == shared_faults(both, other_numbers, right) == 1
    assert shared_faults(both, transposed, right) < 0
    assert shared_faults(both, raising, right) < 0
    assert shared_faults(raising, raising, right) > 0
