"""The files that a gradebook is handed on as: grades.csv and results.jsonl, each written whole or not at all."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from pathlib import Path

from grader.gradebook.attention import Why, why_a_person
from grader.gradebook.pages import folder_name
from grader.gradebook.standings import Cause, Standing
from grader.model import Language, Message
from grader.report.causes import about_it
from grader.report.places import place_of
from grader.report.visible import tell, visible
from grader.state import write_bytes_whole, write_pieces_whole

GRADES, RESULTS, REPORTS = "grades.csv", "results.jsonl", "reports"
COLUMNS = (
    "student",  # id of the roster, else the name of the folder or file
    "name",  # of the roster
    "exercise",
    "status",  # graded, unreadable, missing, failed (our fault, not graded yet)
    "verdict",  # accepted, partly, wrong, ...
    "points",  # that count: an override where there is one; empty where there is nothing to count
    "max_points",
    "graded_points",  # the grader's own
    "override_by",
    "override_why",
    "mistakes",  # ids of exercises/mistakes.toml, separated by blanks
    "note",  # why there is no result, or what to check
    "file",  # path in the input
    "sha256",  # of the file
    "graded_at",  # UTC
    "report",  # path of the page, seen from this file
    "submitted_at",  # with its zone, where the input tells it
    "late_days",  # begun days since it was due; empty where it was in time
    "late_percent",  # of graded_points, taken off
    "weight",  # of the exercise in a total
)
_FOUND = {"batch.best_of": "batch.best_found", "batch.note_best_of": "batch.note_best_found"}
_ENDS = (".", "!", "?", "。", "！", "？", "…")
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def write_grades(folder: Path, standings: Iterable[Standing], names: Mapping[str, str], language: Language) -> None:
    """Write grades.csv: UTF-8 with the mark that Excel needs, one row for each student and exercise.

    Raises:
        OSError: it cannot be written; an earlier one is still whole.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for standing in standings:
        writer.writerow([_harmless(cell) for cell in _cells(standing, names, language)])
    write_bytes_whole(folder / GRADES, text.getvalue().encode("utf-8-sig", "replace"))


def write_results(folder: Path, reports: Iterable[str]) -> None:
    """Write results.jsonl: the whole report of each result that counts, one line each. Raises OSError."""
    write_pieces_whole(folder / RESULTS, (f"{report}\n".encode("utf-8", "replace") for report in reports))


def status_of(standing: Standing) -> str:
    """graded, unreadable, missing, or failed where grading it met a fault of ours."""
    if standing.state != "read":
        return standing.state
    return "graded" if standing.verdict is not None else "failed"


def who(student: str, names: Mapping[str, str]) -> str:
    """A student as a person knows them: the name, if a class list or a download has one, and the id."""
    name = names.get(student, "")
    return f"{name} ({student})" if name and name != student else student


def notes_of(standing: Standing, language: Language, told: Why | None = None) -> list[str]:
    """What there is to know about a row, as sentences, but what the reason that was told already says."""
    notes = [which_counts(standing, standing.reason)] if standing.reason is not None else []
    first = [cause] if standing.state == "read" and (cause := _told_cause(standing.cause, language)) else []
    if standing.marked_late and told is not Why.LATE_BY_UNKNOWN:
        notes.append(Message("batch.note_marked_late"))
    if standing.state != "read" and standing.verdict is not None:
        notes.append(Message("batch.note_earlier"))
    if standing.failed_since or status_of(standing) == "failed":
        notes.append(Message("batch.note_failed"))
    if (late := late_note(standing)) is not None:
        notes.append(late)
    if standing.late_by_unknown and standing.override is None and told is not Why.LATE_BY_UNKNOWN:
        notes.append(Message("policy.late_by_unknown"))
    if standing.override is not None and standing.override_differs:
        before, after = _number(standing.override.graded_points), _number(standing.graded_points)
        notes.append(Message("batch.note_override_differs", {"before": before or "-", "after": after or "-"}))
    return [*first, *(tell(note, language) for note in notes)]


def which_counts(standing: Standing, told: Message) -> Message:
    """That the best of several files counts, with the one that does, where the result is there by now."""
    if standing.verdict is None or told.key not in _FOUND or standing.sha256 != standing.graded_sha256:
        return told
    return Message(_FOUND[told.key], {**told.fields, "best": standing.place})


def noted(standing: Standing, language: Language, *, heading: bool = True) -> str:
    """All that there is to know about a row, one sentence after the other.

    Args:
        heading: whether the row stands under the reason to look at it.
    """
    why = why_a_person(standing)
    notes = notes_of(standing, language, why if heading else None)
    if not heading and why is Why.OUTSIDE:  # the error alone looks like any other
        notes.insert(0, tell(Message("class.why_outside"), language))
    stop, between = ("。", "") if language == "zh" else (".", " ")
    ended = [note if note.endswith(_ENDS) else note + stop for note in notes[:-1]]
    return between.join([*ended, *notes[-1:]])


def late_note(standing: Standing) -> Message | None:
    """What being late costs, None where it costs nothing or a person gave the points."""
    if not standing.late_percent or standing.override is not None or standing.graded_points is None:
        return None
    percent, graded, points = f"{standing.late_percent:g}", _number(standing.graded_points), _number(standing.points)
    fields: dict[str, str | int] = {"percent": percent, "graded": graded, "points": points}
    if standing.late_days == 1:
        return Message("policy.late_one_day", fields)
    return Message("policy.late", {"days": standing.late_days, **fields})


def _told_cause(cause: Cause | None, language: Language) -> str:
    """What broke a submission, in words about it: those of its report speak to the student."""
    if cause is None:
        return ""
    try:
        sentence = tell(about_it(cause.message), language)
    except (KeyError, IndexError):  # an older version had a sentence that this one no longer has
        return ""
    if cause.line is None:
        return sentence
    return tell(place_of("batch.note_line", cause.filename, cause.line, sentence=sentence), language)


def _cells(standing: Standing, names: Mapping[str, str], language: Language) -> list[str]:
    override = standing.override
    page = f"{REPORTS}/{folder_name(standing.student)}/{standing.exercise}.html" if standing.verdict else ""
    return [
        standing.student,
        names.get(standing.student, ""),
        standing.exercise,
        status_of(standing),
        standing.verdict or "",
        _number(standing.points),
        _number(standing.max_points),
        _number(standing.graded_points),
        override.made_by if override else "",
        override.why if override else "",
        " ".join(standing.mistakes),
        noted(standing, language, heading=False),
        standing.place,
        standing.sha256,
        standing.graded_at or "",
        page,
        standing.submitted_at or "",
        str(standing.late_days or ""),
        _number(standing.late_percent or None),
        _number(standing.weight),
    ]


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:g}"


def _harmless(cell: str) -> str:
    """With what could steer a terminal or hide spelt out, and an apostrophe before what would be a formula."""
    cell = visible(cell)
    return f"'{cell}" if cell.lstrip(" \u00a0\u3000").startswith(_FORMULA) else cell
