"""Writes what other platforms take: each export a file or a folder in the folder of the results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from grader.course import Course
from grader.errors import UsageError
from grader.gradebook.book import Gradebook
from grader.gradebook.pages import folder_name
from grader.gradebook.platforms.canvas import canvas_csv
from grader.gradebook.platforms.moodle import grade_import, worksheet
from grader.gradebook.standings import Standing
from grader.model import Language, Message
from grader.report.feedback import Feedback, reduced
from grader.report.gradescope import gradescope_results
from grader.report.junit import junit_report
from grader.report.read import read_report
from grader.state import write_bytes_whole, write_whole

Platform = Literal["canvas", "moodle", "gradescope", "junit"]
PLATFORMS: tuple[Platform, ...] = ("canvas", "moodle", "gradescope", "junit")
PLACES = {"canvas": "canvas.csv", "moodle": "moodle.csv", "gradescope": "gradescope", "junit": "junit.xml"}
WITH_FILE = ("canvas", "moodle")


@dataclass(frozen=True)
class Export:
    """One export that is asked for.

    Attributes:
        sheet: the table that the platform gave out, where one was named.
    """

    platform: Platform
    sheet: Path | None = None


def read_export(typed: str) -> Export:
    """PLATFORM or PLATFORM=FILE.

    Raises:
        UsageError: no such platform, or a file where none is read or none where one is needed.
    """
    word, equals, file = typed.partition("=")
    for platform in PLATFORMS:
        if word != platform:
            continue
        if platform == "canvas" and not file:
            raise UsageError(Message("exports.canvas_file"))
        if equals and (platform not in WITH_FILE or not file):
            raise UsageError(Message("exports.no_file", {"platform": platform}))
        return Export(platform, Path(file) if file else None)
    raise UsageError(Message("exports.no_such_platform", {"value": word, "known": ", ".join(PLATFORMS)}))


@dataclass(frozen=True)
class Exporter:
    """Writes exports from one gradebook.

    Attributes:
        asked: names of the exercises that were asked for; none of them means all that have a result.
    """

    book: Gradebook
    course: Course
    folder: Path
    language: Language
    feedback: Feedback
    asked: Sequence[str] = ()

    def write(self, export: Export) -> list[Message]:
        """Write one; what there is to know about it.

        Raises:
            UsageError: the platform would not take it, or it cannot be written.
        """
        place = self.folder / PLACES[export.platform]
        try:
            if export.platform == "canvas":
                return self._canvas(export, place)
            if export.platform == "moodle":
                return self._moodle(export, place)
            return self._gradescope(place) if export.platform == "gradescope" else self._junit(place)
        except OSError as error:
            fields = {"path": str(error.filename or place), "reason": error.strerror or str(error)}
            raise UsageError(Message("batch.not_exported", fields)) from error

    def _standings(self) -> list[Standing]:
        return [one for one in self.book.standings() if one.exercise and one.exercise in (self.asked or [one.exercise])]

    def _canvas(self, export: Export, place: Path) -> list[Message]:
        assert export.sheet is not None  # noqa: S101 - read_export has seen to it
        text, notes = canvas_csv(export.sheet, self.course, self._standings(), self.book.names())
        write_bytes_whole(place, text.encode("utf-8-sig", "replace"))
        return notes

    def _moodle(self, export: Export, place: Path) -> list[Message]:
        standings, names = self._standings(), self.book.names()
        exercises = sorted({one.exercise for one in standings})
        if export.sheet is None:
            text, notes = grade_import(exercises, standings, names)
        else:
            text, notes = worksheet(export.sheet, exercises, standings, names)
        write_bytes_whole(place, text.encode("utf-8", "replace"))
        return notes

    def _gradescope(self, place: Path) -> list[Message]:
        points = {(one.student, one.exercise): one for one in self._standings()}
        for text in self.book.reports():
            report = read_report(text)
            one = points.get((report.who, report.exercise))
            if one is not None:
                file = place / folder_name(report.who) / f"{report.exercise}.json"
                file.parent.mkdir(parents=True, exist_ok=True)
                write_whole(file, gradescope_results(reduced(report, self.feedback), self.language, one.points))
        return []

    def _junit(self, place: Path) -> list[Message]:
        asked = {(one.student, one.exercise) for one in self._standings()}
        reports = [report for text in self.book.reports() if (report := read_report(text))]
        write_whole(
            place, junit_report([each for each in reports if (each.who, each.exercise) in asked], self.language)
        )
        return []
