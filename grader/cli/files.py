"""Where reports are written, and how: whole or not at all.

course/exercises/04_concat/concat.py   the file that was graded
course/.manyheads/reports/04_concat.html
course/.manyheads/.gitignore           keeps the folder out of a student's commits
"""

from __future__ import annotations

import contextlib
import errno
import os
from pathlib import Path

from grader.errors import UsageError
from grader.model import Message

STATE = ".manyheads"


def state_folder(file: Path, exercise: str) -> Path:
    """The folder `.manyheads` beside the exercises folder that `file` lies in, else beside the file's own folder."""
    folder = Path(os.path.abspath(file)).parent  # noqa: PTH100 - where the student sees it, not where a link leads
    if folder.name == exercise:
        folder = folder.parent
        if folder.name == "exercises":
            folder = folder.parent
    return folder / STATE


def prepare_state_folder(folder: Path) -> None:
    """Make a folder in the state folder, ignored by git. Raises OSError.

    The state folder may lie in a stranger's repository: links in it are not followed.
    """
    for each in (folder.parent, folder):
        if each.is_symlink():
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(each))
        each.mkdir(exist_ok=True)
    ignore = folder.parent / ".gitignore"
    if not ignore.exists():
        write_whole(ignore, "*\n")


def write_whole(path: Path, text: str) -> None:
    """Write a text file so that a reader finds the old one or the new one, never half of it. Raises OSError."""
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        with partial.open("x", encoding="utf-8", errors="replace", newline="\n") as file:
            file.write(text)
        partial.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            partial.unlink()
        raise


def write_asked(path: Path, text: str, option: str) -> None:
    """Write a file that the user named, with its folder; raises UsageError where that cannot be done."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text)
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
