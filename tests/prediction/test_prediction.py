"""What is asked before the code is run, and what a prediction is worth."""

from pathlib import Path

import numpy as np
import pytest

from grader.course import Course, load_exercise, load_module
from grader.diagnosis.leaves import Numbers
from grader.model import Exercise
from grader.prediction.choosing import MOST_NUMBERS, RAISES, Question, chosen_question, known_behaviours
from grader.prediction.comparing import asked_of
from grader.prediction.marking import all_right, kinds, predicted
from grader.quiz.answers import show_value
from grader.quiz.asked import Outcome
from grader.sandbox.client import LocalSubject

COURSE = Course(Path(__file__).parents[2])
WITH_TORCH = {name for name in COURSE.names if "torch" in load_exercise(COURSE, name).packages}
NAMES = [pytest.param(name, marks=pytest.mark.slow if name in WITH_TORCH else ()) for name in COURSE.names]
CONCAT = "04_concat"


def exercise(name: str) -> Exercise:
    """An exercise of the course."""
    return load_exercise(COURSE, name)


def question(name: str, seed: int = 0) -> Question:
    """What is asked about an exercise."""
    known = known_behaviours(COURSE, exercise(name))
    assert known is not None
    found = chosen_question(known, seed)
    assert found is not None
    return found


def right_shape(asked: Question) -> str:
    """The right shape, as it is typed."""
    assert asked.shape is not None
    return show_value("shape", asked.shape)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", [0, 1])
def test_every_exercise_has_something_to_predict(name: str, seed: int) -> None:
    """Each exercise has an input that fits a screen, whose right answers are right and whose wrong ones are wrong."""
    asked = question(name, seed)
    assert kinds(asked)
    assert sum(shown.kind == "array" and int(np.prod(shown.shape)) for _, shown in asked.inputs) <= 2 * MOST_NUMBERS
    if asked.shape is not None:
        assert predicted(asked, "shape", right_shape(asked)).outcome is Outcome.RIGHT
    if asked.value is not None:
        assert predicted(asked, "value", f"{asked.value:.2f}").outcome is Outcome.RIGHT
    for kind, wrong in (("shape", asked.shapes), ("value", asked.values)):
        for slug, given in wrong.items():
            if given in ((), RAISES):
                continue
            text = show_value("shape", given) if isinstance(given, tuple) else repr(given)
            marked = predicted(asked, kind, text)  # type: ignore[arg-type]
            assert marked.outcome is not Outcome.RIGHT, slug
            assert marked.outcome is not Outcome.WRONG or slug in marked.mistakes


@pytest.mark.parametrize("name", NAMES)
def test_the_reference_gives_what_is_right(name: str) -> None:
    """Right code in the place of a student's is the same as what is called right."""
    known = known_behaviours(COURSE, exercise(name))
    assert known is not None
    asked = question(name)
    own = asked_of(LocalSubject(load_module(exercise(name).reference)), known.models, asked)
    assert (own.state, own.shape, own.value) == ("same", asked.shape, asked.value)


def test_the_same_seed_asks_the_same() -> None:
    """A question can be asked again, and another seed asks with other numbers."""
    first, again, other = (question(CONCAT, seed) for seed in (3, 3, 4))
    np.testing.assert_array_equal(first.probe["heads"], again.probe["heads"])
    assert first.probe["heads"].shape != other.probe["heads"].shape or (
        (first.probe["heads"] != other.probe["heads"]).any()
    )


def test_sizes_tell_mistakes_apart() -> None:
    """The sizes of the input are pairwise different and none is 1, so that a wrong shape cannot look like the right."""
    for seed in range(5):
        sizes = question(CONCAT, seed).probe["heads"].shape
        assert len(set(sizes)) == len(sizes)
        assert 1 not in sizes


@pytest.mark.parametrize("seed", [0, 1])
def test_sizes_of_what_comes_out_are_pairwise_different(seed: int) -> None:
    """Where an input has such sizes and is small enough, it is asked: a shape that is guessed is not right by luck."""
    asked = question("08_batched_heads", seed)
    assert asked.shape is not None
    assert len(set(asked.shape)) == len(asked.shape)
    assert len(asked.shapes) > 10


def test_a_wrong_shape_is_named() -> None:
    """A shape that a mistake gives is told with just those mistakes; names of axes may stand for sizes."""
    asked = question(CONCAT)
    h, L, d_v = asked.probe["heads"].shape
    merged = predicted(asked, "shape", f"({h}, {L * d_v})")
    assert (merged.outcome, merged.mistakes) == (Outcome.WRONG, ("heads-taken-for-positions",))
    assert predicted(asked, "shape", "(L, h*d_v)").outcome is Outcome.RIGHT
    assert predicted(asked, "shape", "(L, d_model)").outcome is Outcome.RETYPE  # no size that can be seen
    assert predicted(question("01_split_heads"), "shape", "(num_heads, L, d_model/h)").outcome is Outcome.RIGHT
    assert predicted(asked, "shape", f"{L} x {h * d_v}").outcome is Outcome.RIGHT
    raised = predicted(asked, "shape", "raises")
    assert (raised.outcome, raised.understood) == (Outcome.WRONG, RAISES)
    assert "heads-counted-from-one" in raised.mistakes


def test_a_wrong_number_is_named() -> None:
    """A number that a mistake gives at that place is told with it, and any other is not."""
    asked = question(CONCAT)
    slug = "merge-without-transpose"
    wrong = predicted(asked, "value", str(asked.values[slug]))
    assert wrong.outcome is Outcome.WRONG
    assert slug in wrong.mistakes
    assert predicted(asked, "value", "1234").mistakes == ()


def test_what_cannot_be_read_is_free() -> None:
    """An answer that is no shape or no number is sent back and is no wrong prediction."""
    asked = question(CONCAT)
    for kind, text in (("shape", ""), ("shape", "banana boat"), ("value", "a lot"), ("value", "3 4 2")):
        marked = predicted(asked, kind, text)  # type: ignore[arg-type]
        assert not marked.counts
        assert marked.message is not None


def test_two_decimals_are_enough() -> None:
    """A number that is no whole one may be rounded to two decimals, and not further off."""
    asked = question("02_scaled_scores")
    assert asked.value is not None
    assert asked.value != round(asked.value)
    assert predicted(asked, "value", f"{asked.value:.2f}").outcome is Outcome.RIGHT
    assert predicted(asked, "value", f"{asked.value + 0.03:.3f}").outcome is Outcome.WRONG


def test_only_everything_right_is_all_right() -> None:
    """One right prediction of two is not enough."""
    asked = question(CONCAT)
    shape, value = predicted(asked, "shape", right_shape(asked)), predicted(asked, "value", str(asked.value))
    assert all_right(asked, [shape, value])
    assert not all_right(asked, [shape])


@pytest.mark.parametrize(
    ("source", "state"),
    [
        ("return heads.transpose(1, 0, 2).reshape(heads.shape[1], -1)", "same"),
        ("return heads.reshape(heads.shape[1], -1)", "other"),
        ("return None", "other"),
        ("return 'x' * 100", "other"),
        ("return [heads, heads]", "other"),
        ("raise NotImplementedError", "not_written"),
        ("raise ValueError('<b>')", "stopped"),
        ("return heads[99]", "stopped"),
    ],
)
def test_any_answer_of_a_student_can_be_compared(tmp_path: Path, source: str, state: str) -> None:
    """Right, wrong, of another kind, not written or raising: each is told as what it is."""
    file = tmp_path / "concat.py"
    file.write_text(f"def concat_heads(heads):\n    {source}\n", encoding="utf-8")
    known = known_behaviours(COURSE, exercise(CONCAT))
    assert known is not None
    own = asked_of(LocalSubject(load_module(file)), known.models, question(CONCAT))
    assert own.state == state
    assert (own.reason is not None) == (state == "stopped")


def test_a_number_is_asked_only_where_it_can_be_worked_out() -> None:
    """What depends on numbers that are not shown is asked for its shape alone; a table of truth values as well."""
    asked = question("03_masked_softmax", 1)
    assert isinstance(asked.right, Numbers)
    assert (asked.right.values.dtype.kind, kinds(asked)) == ("b", ("shape",))
