"""The points that `grade batch --override` gives by hand, or takes back."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from grader.cli.screen import Screen
from grader.cli.targets import exercise_name
from grader.course import Course
from grader.errors import UsageError
from grader.model import Language, Message
from grader.report.visible import tell, visible

if TYPE_CHECKING:
    from grader.gradebook.book import Gradebook
    from grader.gradebook.standings import Override


def keep_override(
    course: Course, book: Gradebook, asked: tuple[str, str, str], *, by: str, why: str, language: Language
) -> None:
    """Keep the points of `--override` and say so. Raises UsageError.

    Args:
        asked: id of the student, exercise, and points, as they were typed.
    """
    exercise, points = exercise_name(course, asked[1]), _points(asked[2])
    if not by.strip() or not why.strip():
        raise UsageError(Message("batch.by_and_why"))
    there = [one for one in book.standings() if one.exercise == exercise]
    student = _id_of(asked[0], {one.student for one in there})
    if student is None:
        raise UsageError(Message("batch.nobody", {"student": asked[0], "exercise": exercise}))
    if points is None and all(one.override is None for one in there if one.student == student):
        raise UsageError(Message("batch.no_override", {"student": student, "exercise": exercise}))
    _refuse_more_than_all(exercise, points, [one.max_points for one in there if one.max_points is not None])
    book.override(student, exercise, points, by, why)
    before = next((one.override for one in there if one.student == student), None)
    told = _told({"student": student, "exercise": exercise}, points, before)
    Screen(highlight=False, emoji=False).print(tell(told, language), markup=False, soft_wrap=True)


def _told(fields: dict[str, str], points: float | None, before: Override | None) -> Message:
    """What is said of an override: what counts now, and what it takes the place of."""
    if points is None:
        return Message("batch.override_taken_back", fields)
    given = {**fields, "points": f"{points:g}"}
    if before is None:
        return Message("batch.overridden", given)
    return Message("batch.overridden_again", {**given, "before": f"{before.points:g}", "by": before.made_by})


def _id_of(typed: str, known: Collection[str]) -> str | None:
    """The student that was typed, as the gradebook or as grades.csv has the id."""
    spelt = [one for one in known if visible(one) == typed]
    return typed if typed in known else spelt[0] if len(spelt) == 1 else None


def _refuse_more_than_all(exercise: str, points: float | None, known: Sequence[float]) -> None:
    """The exercise's points are those of its results; where it has none yet, nothing is known to be too much."""
    if points is not None and known and points > max(known):
        fields = {"exercise": exercise, "most": f"{max(known):g}", "value": f"{points:g}"}
        raise UsageError(Message("batch.too_many_points", fields))


def _points(text: str) -> float | None:
    if text == "none":
        return None
    try:
        points = float(text)
    except ValueError:
        points = -1.0
    if not 0 <= points < 1e6:
        raise UsageError(Message("batch.bad_points", {"value": text}))
    return points
