"""Which files a command line means: the paths that were typed, or the working directory, as files of exercises."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.course import Course, find_exercises, shown_path
from grader.errors import UsageError
from grader.model import Exercise, Message


@dataclass(frozen=True)
class Target:
    """One file to grade, and for which exercise."""

    exercise: Exercise
    file: Path

    @property
    def shown(self) -> str:
        """The file as the user would type it here."""
        relative = os.path.relpath(self.file)
        return shown_path(self.file if relative.startswith(os.pardir) else Path(relative))


def find_targets(course: Course, paths: Sequence[str], file: str | None) -> list[Target]:
    """Every file to grade, each once, in the order of the paths.

    Args:
        paths: folders or files as typed; none of them means the working directory.
        file: a file to grade in place of the one in the exercise folder.

    Raises:
        UsageError: a path names nothing, or `file` does not go with what the paths name.
    """
    if file is not None and len(paths) > 1:
        raise UsageError(Message("course.file_for_one", {"file": file, "example": course.names[0]}))
    found: dict[str, Target] = {}
    for path in [Path(text) for text in paths] or [_here(course)]:
        place = _with_exercises(course, path)
        for exercise, each in find_exercises(course, place, _asked_file(file, place)):
            found.setdefault(os.path.abspath(each), Target(exercise, each))  # noqa: PTH100 - no link is followed
    return list(found.values())


def _here(course: Course) -> Path:
    """The working directory; raises UsageError, saying where that is and what to type, where it holds no exercise."""
    here = Path.cwd()
    place = _with_exercises(course, here)
    if place.name not in course.names and not _holds_exercises(course, place):
        exercise = os.path.relpath(course.root / "exercises" / course.names[0])
        raise UsageError(Message("cli.nothing_here", {"folder": shown_path(here), "exercise": exercise}))
    return place


def _with_exercises(course: Course, path: Path) -> Path:
    """`path/exercises` where `path` is the folder around it."""
    inner = path / "exercises"
    return inner if not _holds_exercises(course, path) and _holds_exercises(course, inner) else path


def _holds_exercises(course: Course, folder: Path) -> bool:
    return any((folder / name).is_dir() for name in course.names)


def _asked_file(text: str | None, place: Path) -> Path | None:
    """The file of `--file`: seen from here, else from the exercise folder."""
    if text is None:
        return None
    file = Path(text)
    return place / file if not file.exists() and (place / file).exists() else file
