"""The walk through the pipeline: the hand calculation, whose values they are, and where a difference begins."""

from collections.abc import Callable

import numpy as np
import pytest
from course_parts import BY_HAND, COURSE, PARTS, WHOLE, exercise, mistaken, references, walked, written

from grader.course import load_module
from grader.errors import SubmissionError
from grader.model import Message
from grader.pipeline import arithmetic
from grader.pipeline.answers import Unread
from grader.pipeline.inputs import Sentence, cat_eats_fish
from grader.pipeline.page import first_wrong, html_page
from grader.pipeline.steps import Walk
from grader.pipeline.walk import load_pipeline
from grader.sandbox.client import LocalSubject, Subject

STEPS = ("full", "split", "scores", "scale", "mask", "softmax", "values", "concat", "output")
ASKED = ("split", "scale", "mask", "softmax", "concat", "output")
# Without a mask, then with it: the weights of both heads and the joined rows, as the tasks print them.
UNMASKED = (
    [[[0.2483, 0.2483, 0.5035], [0.1084, 0.4458, 0.4458], [0.3333] * 3],
     [[0.3333] * 3, [0.1636, 0.6728, 0.1636], [0.4011, 0.4011, 0.1978]]],
    [[1.2552, 0.2483, 0.3333, 1.0], [1.0, 0.4458, 0.1636, 1.0], [1.0, 0.3333, 0.4011, 0.7967]],
)  # fmt: skip
MASKED = (
    [[[1, 0, 0], [0.1956, 0.8044, 0], [0.3333] * 3], [[1, 0, 0], [0.1956, 0.8044, 0], [0.4011, 0.4011, 0.1978]]],
    [[1, 0, 1, 0], [0.1956, 0.8044, 0.1956, 0.8044], [1, 0.3333, 0.4011, 0.7967]],
)


def states(walk: Walk) -> dict[str, str]:
    """The state of each step, by its name."""
    return {step.name: step.state for step in walk.steps}


def random_sentence() -> Sentence:
    """Random numbers of pairwise different sizes."""
    rng = np.random.default_rng(5)
    names = ("w_q", "w_k", "w_v", "w_o")
    matrices = dict(zip(names, rng.standard_normal((4, 6, 6)), strict=True))
    return Sentence(cat_eats_fish().tokens + cat_eats_fish().tokens[:1], rng.standard_normal((4, 6)), matrices, 3)


@pytest.mark.parametrize(("causal", "wanted"), [(False, UNMASKED), (True, MASKED)])
def test_the_default_input_is_the_hand_calculation(causal: bool, wanted: tuple[list[object], list[object]]) -> None:
    """Weights and joined rows of the default input are those of the lesson, to the four digits that are printed."""
    walk = walked({}, cat_eats_fish(causal=causal))
    by_name = {step.name: step.parts[-1].expected for step in walk.steps}
    for name, expected in zip(("softmax", "concat"), wanted, strict=True):
        np.testing.assert_allclose(by_name[name], expected, atol=5e-5)
    np.testing.assert_allclose(by_name["scale"][0, 0], [0.7071, 0.7071, 1.4142], atol=5e-5)


@pytest.mark.parametrize("sentence", [BY_HAND, random_sentence()], ids=["by hand", "random"])
def test_right_functions_agree_in_every_step(sentence: Sentence) -> None:
    """The references of all exercises give what the page calculates, so no right student sees a difference."""
    walk = walked(references(), sentence)
    assert tuple(step.name for step in walk.steps) == STEPS
    assert {name: state for name, state in states(walk).items() if name in ASKED} == dict.fromkeys(ASKED, "right")
    assert walk.whole.state == "right"
    assert first_wrong(walk) is None


def test_the_eight_steps_are_those_of_the_reference() -> None:
    """The steps one after the other give what the reference of the whole exercise gives."""
    sentence = random_sentence()
    layer = load_module(exercise(WHOLE).reference).MultiHeadAttention(6, 3)
    vars(layer).update(sentence.matrices)
    out, weights = layer.forward(sentence.x)
    steps = {step.name: step.parts[-1].expected for step in walked({}, sentence).steps}
    np.testing.assert_allclose(steps["softmax"], weights)
    np.testing.assert_allclose(steps["output"], out)


def test_nothing_written_is_shown_from_the_reference() -> None:
    """Without any file every step is there, and none has values of the student's."""
    walk = walked({})
    assert {states(walk)[name] for name in ASKED} == {"not_written"}
    assert all(part.own is None for step in walk.steps for part in step.parts)
    assert walk.whole.state == "not_written"


def test_starters_count_as_not_written() -> None:
    """A starter that raises NotImplementedError is no failure."""
    walk = walked({name: load_starter(name) for name in PARTS})
    assert {states(walk)[name] for name in ASKED} == {"not_written"}
    assert (walk.whole.state, walk.whole.trouble) == ("not_written", None)


def load_starter(name: str) -> Subject:
    """The starter of an exercise in the place of a student's file."""
    return LocalSubject(load_module(exercise(name).starter))


def test_a_wrong_step_is_wrong_once_and_carried_on() -> None:
    """Where the scale is forgotten, that step is wrong; what follows is calculated from it and only carries it on."""
    subjects = {**references(), "02_scaled_scores": mistaken("02_scaled_scores", "scores-not-scaled")}
    walk = walked(subjects)
    assert states(walk)["scale"] == "wrong"
    assert [states(walk)[name] for name in ("softmax", "values", "concat", "output")] == ["carried"] * 4
    assert walk.whole.state == "right"
    assert first_wrong(walk) == STEPS.index("scale")
    heads = next(step for step in walk.steps if step.name == "values").parts[0]
    assert heads.own is not None
    assert not np.allclose(heads.own, heads.expected)


def test_the_output_is_asked_from_the_heads() -> None:
    """A wrong concat does not make a right W^O wrong: its exercise joins the heads itself."""
    subjects = {**references(), "04_concat": mistaken("04_concat", "merge-without-transpose")}
    assert (states(walked(subjects))["concat"], states(walked(subjects))["output"]) == ("wrong", "right")


def test_without_the_last_exercise_a_wrong_concat_goes_on() -> None:
    """Where W^O is not written, the student's own joined rows are multiplied, so that they see what comes of them."""
    subjects = {"04_concat": mistaken("04_concat", "merge-without-transpose")}
    output = walked(subjects).steps[-1]
    assert output.state == "not_written"
    assert output.parts[0].own is not None


def raises(*_: object) -> None:
    """A function that cannot do its work."""
    raise RuntimeError("no luck")


@pytest.mark.parametrize(
    ("answer", "state", "key"),
    [
        (lambda heads: heads, "wrong", "show.wrong_shape"),
        (lambda _heads: None, "wrong", "show.no_array"),
        (lambda heads: [[float(x) for x in row] for row in arithmetic.concat(heads)], "wrong", "show.no_array"),
        (lambda heads: arithmetic.concat(heads) > 0, "wrong", "show.wrong_dtype"),
        (lambda heads: arithmetic.concat(heads) * 1j, "wrong", "show.no_array"),
        (raises, "failed", "sandbox.raised"),
    ],
)
def test_what_cannot_be_passed_on_stops_nothing(answer: Callable[..., object], state: str, key: str) -> None:
    """Another type, shape or kind of dtype, or an exception: the step says so, and the walk goes on."""
    walk = walked({"04_concat": written(concat_heads=answer)})
    concat, output = walk.steps[-2:]
    assert (concat.state, concat.trouble and concat.trouble.key) == (state, key)
    assert output.parts[0].expected.shape == (3, 4)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("number", [1e308, np.inf, np.nan])
def test_numbers_that_overflow_warn_nobody(number: float) -> None:
    """What is calculated from a student's numbers may overflow, and nothing is printed about it."""
    walk = walked({"01_split_heads": written(split_heads=lambda full, _h: np.full((2, len(full), 2), number))})
    assert states(walk)["split"] == "wrong"


def test_nan_and_infinity_are_passed_on_as_they_are() -> None:
    """Numbers that are none are shown where they arise, and what they make of the following steps as well."""
    walk = walked({"02_scaled_scores": written(scaled_scores=lambda q, k: np.full((2, 3, 3), np.nan))})
    assert states(walk)["scale"] == "wrong"
    assert states(walk)["values"] == "carried"
    values = walk.steps[STEPS.index("values")].parts[0].own
    assert values is not None
    assert np.isnan(values).all()


@pytest.mark.parametrize(
    ("forward", "state"),
    [(lambda self, x, causal: x, "wrong"), (lambda self, x, causal: (x, None), "wrong"), (raises, "failed")],
)
def test_a_whole_of_another_form_is_told(forward: Callable[..., object], state: str) -> None:
    """What the exercise itself gives may be anything; the page of its parts is made all the same."""
    layer = type("MultiHeadAttention", (), {"__init__": lambda self, d_model, num_heads: None, "forward": forward})
    whole = walked({WHOLE: written(MultiHeadAttention=layer)}).whole
    assert whole.state == state
    assert whole.trouble is not None or whole.troubles


@pytest.mark.parametrize(("name", "step"), [("weights", "softmax"), ("out", "output")])
def test_one_odd_array_of_two_is_told_where_it_is(name: str, step: str) -> None:
    """Where one of weights and output is right and the other is no such array, the step of the other is told."""
    parts = {each.name: each.expected for at in walked({}).steps for each in at.parts}
    given = {**parts, name: None}
    forward = {"forward": lambda self, x, causal: (given["out"], given["weights"])}
    layer = type("MultiHeadAttention", (), {"__init__": lambda self, d_model, num_heads: None, **forward})
    walk = walked({WHOLE: written(MultiHeadAttention=layer)})
    assert (walk.whole.state, set(walk.whole.troubles)) == ("wrong", {step})
    assert first_wrong(walk) == STEPS.index(step)
    page = html_page(walk, exercise(WHOLE), "en")
    assert page.count(f"Your {WHOLE} gives something else here.") == 1
    assert page.count("It is None; expected an array of shape") == 1
    assert page.count(f"Your {WHOLE} gives the same here.") == 1


def test_what_agrees_is_never_called_wrong() -> None:
    """A function that gives the reference's values gives the same, whatever its own input was: no cell differs."""
    weights = next(step for step in walked({}).steps if step.name == "softmax").parts[0].expected
    wrong = mistaken("02_scaled_scores", "scores-not-scaled")
    learnt = written(causal_allowed=lambda length: np.tri(length) > 0, masked_softmax=lambda *_: weights)
    walk = walked({**references(), "02_scaled_scores": wrong, "03_masked_softmax": learnt})
    assert states(walk)["softmax"] == "right"
    assert first_wrong(walk) == STEPS.index("scale")


def test_a_file_that_cannot_be_read_is_not_called_unwritten() -> None:
    """A file that is there and cannot be read has failed, with its reason."""
    error = SubmissionError(Message("course.directory", {"path": "concat.py"}))
    walk = walked({"04_concat": Unread(error), WHOLE: Unread(error)})
    concat = walk.steps[STEPS.index("concat")]
    assert (concat.state, concat.trouble) == ("failed", error.message)
    assert (walk.whole.state, walk.whole.trouble) == ("failed", error.message)


def test_a_pipeline_names_exercises_of_the_course() -> None:
    """Every exercise that pipeline.py points to is there."""
    for name in COURSE.names:
        if (COURSE.root / "solutions" / name / "pipeline.py").is_file() and exercise(name).packages == ("numpy",):
            pipeline = load_pipeline(exercise(name))
            assert pipeline is not None
            assert set(pipeline.holders.values()) <= set(COURSE.names)


@pytest.mark.slow
@pytest.mark.parametrize("causal", [True, False])
def test_a_module_of_torch_is_shown_as_a_whole(causal: bool) -> None:
    """Of the module written from scratch weights and output are seen; nothing inside of it is."""
    name = "14_from_scratch"
    for sentence in (cat_eats_fish(causal=causal), random_sentence()):
        walk = walked(references(name), sentence, name)
        assert walk.whole.state == "right"
        assert set(walk.whole.parts) == {"softmax", "output"}
        assert set(states(walk).values()) == {"given", "inside"}
