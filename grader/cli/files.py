"""The files that a run leaves: HTML reports and the progress in the state folder, and what was asked for by name."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from grader.course import Course, shown_path
from grader.errors import UsageError
from grader.model import GradeReport, Language, Message
from grader.report.visible import tell
from grader.state import prepare_state_folder, state_folder, write_named, write_whole

if TYPE_CHECKING:
    from grader.progress import Progress


Warn = Callable[[Message], None]  # receives what the user has to be told

_DATABASE = b"SQLite format 3\0"


def warn(language: Language) -> Warn:
    """Says a sentence on stderr, in `language`; the run goes on."""
    return lambda message: print(tell(message, language), file=sys.stderr)


def read_progress(folder: Path, say: Warn) -> Progress:
    """What is recorded in a state folder; raises UsageError where it cannot be read.

    Args:
        say: receives what the user has to be told.
    """
    from grader.progress import ProgressFile  # noqa: PLC0415 - json takes a while

    try:
        return ProgressFile(folder, say).read()
    except OSError as error:
        fields = {"path": shown_path(Path(error.filename or folder)), "reason": error.strerror or str(error)}
        raise UsageError(Message("cli.progress_unreadable", fields)) from error


def write_asked(path: Path, text: str, option: str) -> None:
    """Write a file that the user named, with its folder; raises UsageError where that cannot be done."""
    refuse_database(path, option)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_named(path, text.encode("utf-8", "replace"))
    except OSError as error:
        fields = {"option": option, "path": str(path), "reason": error.strerror or str(error)}
        raise UsageError(Message("cli.cannot_write", fields)) from error


def refuse_database(path: Path, option: str) -> None:
    """Raise UsageError where the file is a log of answers or another database: no export replaces one."""
    try:
        if path.is_file():
            with path.open("rb") as file:
                found = file.read(len(_DATABASE))
            if found == _DATABASE:
                raise UsageError(Message("cli.is_database", {"option": option, "path": str(path)}))
    except OSError:
        return  # writing says it


def append_asked(path: Path, line: str, option: str) -> None:
    """Add a line to a file that the user named, whole or not at all; raises UsageError where that cannot be done."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
        try:
            os.write(descriptor, line.encode())  # one write: several runs may add to the same file
        finally:
            os.close(descriptor)
    except OSError as error:
        fields = {"option": option, "path": str(path), "reason": error.strerror or str(error)}
        raise UsageError(Message("cli.cannot_write", fields)) from error


class ReportPaths:
    """Names the file of each HTML report.

    Args:
        asked: value of `--report`, None for the state folder beside the exercises.
        several: more than one submission is graded, so `asked` can only be a folder.
    """

    def __init__(self, asked: str | None, *, several: bool) -> None:
        self._file: Path | None = None
        self._folder: Path | None = None
        self._taken: set[Path] = set()
        if asked is None:
            return
        path = Path(asked)
        if several and path.is_file():
            raise UsageError(Message("cli.report_needs_folder", {"path": asked}))
        if several or path.is_dir() or asked.endswith(os.sep):
            self._folder = path
        else:
            self._file = path

    def path_for(self, file: Path, exercise: str) -> Path:
        """Where the report on `file` belongs; another name for each call."""
        if self._file is not None:
            return self._file
        folder = self._folder or state_folder(file, exercise) / "reports"
        path, count = folder / f"{exercise}.html", 1
        while path in self._taken:
            count += 1
            path = folder / f"{exercise}-{count}.html"
        self._taken.add(path)
        return path


class WrittenFiles:
    """Writes for each report its page and its record in the progress; where that cannot be done, one line says so.

    Args:
        asked: value of `--report`, None for the state folder.
        pages: whether HTML reports are written at all.
        several: more than one submission is graded.
        say: receives what the user has to be told.
    """

    def __init__(
        self,
        course: Course,
        language: Language,
        say: Warn,
        *,
        asked: str | None,
        pages: bool,
        several: bool,
    ) -> None:
        self._course = course
        self._language = language
        self._say = say
        self._asked = asked
        self._paths = ReportPaths(asked, several=several) if pages else None
        self._told: set[str] = (
            set()
        )  # why something was not written; one line for a folder that is closed, not one for each report
        self.pages: list[Path] = []
        self.overcome: tuple[str, ...] = ()  # slugs of the mistakes that the last report overcame

    def write(self, report: GradeReport, file: Path) -> Path | None:
        """Where the page on `file` lies, None where there is none; what this has recorded is safe when it returns.

        Raises:
            UsageError: `--report` was given and its file cannot be written.
        """
        failed: dict[str, OSError] = {}
        page = None
        self.overcome = ()
        try:
            self._record(report, state_folder(file, report.exercise))
        except OSError as error:
            failed["progress"] = error
        except UsageError as error:
            self._tell("refused", error.message)
        if self._paths is not None:
            try:
                page = self._write_page(self._paths.path_for(file, report.exercise), report)
            except OSError as error:
                failed["report"] = error
        if failed:
            first = next(iter(failed.values()))
            path = Path(first.filename or state_folder(file, report.exercise))
            fields = {"path": shown_path(path), "reason": first.strerror or str(first)}
            self._tell("closed", Message(f"cli.{'_and_'.join(failed)}_not_written", fields))
        return page

    def _write_page(self, path: Path, report: GradeReport) -> Path:
        from grader.report.html import html_report  # noqa: PLC0415 - its templates take a while

        page = html_report(report, self._course, self._language)
        if self._asked is not None:
            write_asked(path, page, "--report")
        else:
            prepare_state_folder(path.parent)
            write_whole(path, page)
        self.pages.append(path)
        return path

    def _record(self, report: GradeReport, folder: Path) -> None:
        from grader.progress import UNRECORDED, ProgressFile, newly_overcome, now, with_report  # noqa: PLC0415 - json

        if report.verdict in UNRECORDED:  # a starter that was only tried out leaves no trace
            return
        old, new = ProgressFile(folder, self._say).change(partial(with_report, report=report, when=now()))
        self.overcome = newly_overcome(old.record(report.exercise), new.record(report.exercise))

    def _tell(self, why: str, message: Message) -> None:
        if why not in self._told:
            self._say(message)
        self._told.add(why)
