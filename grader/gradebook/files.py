"""Writes every file beside the gradebook, from all that it holds: tables, pages' notes, the class report."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from grader.course import Course
from grader.errors import UsageError
from grader.gradebook.anonymous import (
    LEFT_OUT,
    Pseudonyms,
    anonymous_report,
    anonymous_standings,
    anonymous_tallies,
)
from grader.gradebook.book import Gradebook, now
from grader.gradebook.class_report import ClassNotes, write_class_report
from grader.gradebook.exports import REPORTS, late_note, write_grades, write_results
from grader.gradebook.pages import page_of, put_note
from grader.gradebook.standings import Standing
from grader.model import Language, Message
from grader.report.feedback import Feedback
from grader.report.html import Counted, html_report
from grader.report.json import json_line
from grader.report.read import read_report
from grader.report.visible import tell
from grader.state import write_whole

ANONYMOUS = "anonymous"


def export(book: Gradebook, course: Course, folder: Path, language: Language) -> list[Standing]:
    """Write grades.csv, results.jsonl, index.html, and notes on pages; where everybody stands.

    Raises:
        UsageError: one of them cannot be written; the gradebook has everything all the same.
    """
    standings, policy = book.standings(), book.policy()
    has_policy = book.setting("policy") is not None
    with _told(folder):
        for one in standings:
            # its page may have been made anew since, and a policy may have changed
            if one.was_overridden or has_policy:
                put_note(page_of(folder / REPORTS, one.student, one.exercise), _note(one, language), _counted(one))
        write_grades(folder, standings, book.names(), language)
        write_results(folder, book.reports())
        told = ClassNotes(book.names(), language, now(), policy)
        write_class_report(folder, course, standings, book.tallies(), told)
    return standings


def export_anonymously(
    book: Gradebook, course: Course, folder: Path, language: Language, feedback: Feedback, *, pages: bool = True
) -> Path:
    """Write the same under DIR/anonymous, with a pseudonym for each student also in the names of files; that folder.

    Pages are made from what the gradebook holds, so that they have no figures.

    Args:
        pages: write those anew that are there; where nothing was graded since, they need new notes at most.

    Raises:
        UsageError: one of them cannot be written.
    """
    place, pseudonyms = folder / ANONYMOUS, Pseudonyms.of(book)
    standings = anonymous_standings(book.standings(), pseudonyms)
    told_on = {(one.student, one.exercise): one for one in standings}
    assigned = frozenset(one.exercise for one in standings)
    with _told(place):
        place.mkdir(parents=True, exist_ok=True)
        texts = []
        for text in book.reports():
            report = anonymous_report(read_report(text), pseudonyms, course)
            texts.append(json_line(report))
            page = page_of(place / REPORTS, report.who, report.exercise)
            page.parent.mkdir(parents=True, exist_ok=True)
            if pages or not page.exists():
                write_whole(page, html_report(report, course, language, feedback, assigned=assigned))
            one = told_on[report.who, report.exercise]
            put_note(page, _note(one, language), _counted(one))
        write_grades(place, standings, {}, language)
        write_results(place, texts)
        found = anonymous_tallies(book.tallies(), pseudonyms)
        told = ClassNotes({}, language, now(), book.policy())
        write_class_report(place, course, standings, found, told)
    return place


@contextmanager
def _told(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        fields = {"path": str(error.filename or folder), "reason": error.strerror or str(error)}
        raise UsageError(Message("batch.not_exported", fields)) from error


def _counted(one: Standing) -> Counted | None:
    """What a student's page shows as the score, None where there is nothing graded."""
    if one.points is None or one.graded_points is None:
        return None
    return Counted(*(f"{points:g}" for points in (one.points, one.graded_points, one.max_points or 0)))


def _note(one: Standing, language: Language) -> str:
    """What a student's page says of points that are not those of the grader, "" where they are."""
    if one.override is not None:
        points, by = f"{one.override.points:g}", one.override.made_by
        if by == LEFT_OUT:
            return tell(Message("batch.page_override_alone", {"points": points}), language)
        return tell(Message("batch.page_override", {"points": points, "by": by, "why": one.override.why}), language)
    late = late_note(one)
    return tell(late, language) if late else ""
