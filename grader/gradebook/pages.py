"""The page and the JSON of one result, made in the process that graded it."""

from __future__ import annotations

import hashlib
import os
import traceback
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from grader.course import Course, load_course
from grader.gradebook.standings import Override
from grader.model import GradeReport, Language, Message
from grader.report.html import html_report, with_override
from grader.report.json import json_report
from grader.report.visible import tell
from grader.state import write_whole

MOST_BYTES = 80  # of a folder's name; file systems take 255
_PLAIN = frozenset("-_.@+ ")


class Finished(NamedTuple):
    """What travels beside a report.

    Attributes:
        text: the report as JSON in one line.
        trouble: why its page could not be written, "" where it was.
        fault: the traceback where it could not be made; a page of ours that fails costs nobody a score.
    """

    text: str
    trouble: str = ""
    fault: str = ""


@dataclass(frozen=True)
class Finish:
    """Writes the page of a report, whole, before the result is committed: no result without its page."""

    course: Path
    reports: Path
    language: Language

    def __call__(self, report: GradeReport) -> Finished:
        text = " ".join(line.strip() for line in json_report(report).split("\n")).strip()
        try:
            page = page_of(self.reports, report.who, report.exercise)
            page.parent.mkdir(parents=True, exist_ok=True)
            write_whole(page, html_report(report, _course(self.course), self.language))
        except OSError as error:
            return Finished(text, f"{error.filename or self.reports}: {error.strerror or error}")
        except Exception:  # noqa: BLE001 - told in the end; the score is known by now, and counts
            return Finished(text, fault=traceback.format_exc())
        return Finished(text)


@cache
def _course(root: Path) -> Course:
    """The course, read once in a process: its catalogue of mistakes takes a while."""
    return load_course(root)


def page_of(reports: Path, student: str, exercise: str) -> Path:
    """Where the page of one student and exercise lies."""
    folder = os.fsdecode(folder_name(student).encode())  # in UTF-8 also where the locale knows no such letters
    return reports / folder / f"{exercise}.html"


def put_override(page: Path, override: Override | None, language: Language) -> None:
    """Show on a page the points that a person gave, or no longer; nothing is written where nothing changes.

    Raises:
        OSError: the page cannot be read or written.
    """
    if not page.exists():
        return
    text = page.read_text(encoding="utf-8")
    sentence = ""
    if override is not None:
        fields = {"points": f"{override.points:g}", "by": override.made_by, "why": override.why}
        sentence = tell(Message("batch.page_override", fields), language)
    new = with_override(text, sentence)
    if new != text:
        write_whole(page, new)


def folder_name(student: str) -> str:
    """A student's id as the name of a folder: the id itself where it can be one, else with a hash so that none meet."""
    plain = "".join(c if c.isalnum() or c in _PLAIN else "_" for c in student).strip(". ")
    cut = plain.encode()[:MOST_BYTES].decode("utf-8", "ignore")
    if cut and cut == student:
        return student
    return f"{cut}-{hashlib.sha256(student.encode('utf-8', 'surrogateescape')).hexdigest()[:8]}"
