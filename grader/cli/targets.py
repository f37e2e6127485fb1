"""What a command line means: paths or the working directory as files of exercises, and the copy that they lie in."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.course import (
    Course,
    exercises_around,
    exercises_in,
    find_exercises,
    installed_course,
    load_course,
    shown_path,
    typed,
    unknown_exercise,
)
from grader.errors import ContentError, UsageError
from grader.installing import package_command
from grader.model import Exercise, Message
from grader.state import state_folder


@dataclass(frozen=True)
class Target:
    """One file to grade, and for which exercise."""

    exercise: Exercise
    file: Path
    home: Path  # the file in the working copy that it stands for: reports and progress belong beside that one

    @property
    def shown(self) -> str:
        """The file as the user would type it here."""
        try:
            relative = os.path.relpath(self.file)
        except FileNotFoundError:  # the working directory is gone
            return shown_path(self.file)
        return shown_path(self.file if relative.startswith(os.pardir) else Path(relative))


def chosen_course(asked: str | None) -> Course:
    """The course of `--course`, else the installed one.

    Raises:
        UsageError: the folder is no course.
        ContentError: it has no exercise.
    """
    course = load_course(Path(asked) if asked else installed_course())
    if not course.names:
        raise ContentError(f"{course.root / 'exercises'}: found no exercise.toml; write one (see AUTHORING.md).")
    return course


def named_exercise(course: Course, asked: str) -> str | None:
    """The exercise of this name, number (4 or 04) or topic (its name without the number); None where there is none.

    Raises:
        UsageError: several exercises may be meant; names them.
    """
    if asked in course.names:
        return asked
    found = [name for name in course.names if goes_by(name, asked)]
    if len(found) > 1:
        raise UsageError(Message("cli.which_exercise", {"name": asked, "exercises": ", ".join(found)}))
    return found[0] if found else None


def goes_by(name: str, asked: str) -> bool:
    """Whether an exercise of this name is meant by a number (4 or 04) or a topic."""
    number, _, topic = name.partition("_")
    numbers = number.isdecimal() and asked.isdecimal()
    return asked == topic or (numbers and asked.lstrip("0") == number.lstrip("0"))


def exercise_name(course: Course, asked: str) -> str:
    """The exercise that is asked for by name, number or topic, or by a path to its folder or to a file in it.

    Raises:
        UsageError: the course has no such exercise, or several may be meant.
    """
    name = named_exercise(course, asked)
    if name is not None:
        return name
    path = Path(os.path.abspath(asked) if os.path.lexists(asked) else asked)  # noqa: PTH100 - no link is followed
    for part in reversed(path.parts):
        if part in course.names:
            return part
    raise unknown_exercise(course, asked)


def find_targets(course: Course, paths: Sequence[str], file: str | None) -> list[Target]:
    """Every file to grade, each once, in the order of the paths.

    Args:
        paths: folders, files or exercises as typed; none of them means the working directory.
        file: a file to grade in place of the one in the exercise folder.

    Raises:
        UsageError: a path names nothing, or `file` does not go with what the paths name.
    """
    if file is not None and len(paths) > 1:
        raise UsageError(Message("course.file_for_one", {"file": file, "example": course.names[0]}))
    found: dict[str, Target] = {}
    for place in [typed_place(course, text) for text in paths] or [_here(course)]:
        for exercise, each in find_exercises(course, place, _asked_file(file, place)):
            home = each if file is None else place / exercise.filename
            found.setdefault(os.path.abspath(each), Target(exercise, each, home))  # noqa: PTH100 - no link is followed
    return list(found.values())


def typed_place(course: Course, text: str) -> Path:
    """The path as typed; where nothing lies there and it begins with an exercise, that one among those around here.

    Raises:
        UsageError: several exercises may be meant.
    """
    path = Path(text)
    if os.path.lexists(path):
        return exercises_in(course, path) or path
    around = exercises_around(course, Path.cwd())
    name = named_exercise(course, path.parts[0])
    if around is None or name is None:
        return path
    return around.joinpath(name, *path.parts[1:])


def _here(course: Course) -> Path:
    """The working directory; raises UsageError, saying where that is and what to type, where it holds no exercise."""
    here = Path.cwd()
    place = here if here.name in course.names else exercises_in(course, here)
    if place is None:
        raise _no_exercises(course, here)
    return place


def _asked_file(text: str | None, place: Path) -> Path | None:
    """The file of `--file`: seen from here, else from the exercise folder."""
    if text is None:
        return None
    file = Path(text)
    return place / file if not file.exists() and (place / file).exists() else file


EXTRAS = frozenset({"torch"})  # packages that an extra of this distribution brings


def missing_package(exercise: Exercise) -> Message | None:
    """What to say where a package that the exercise needs is not installed; None where all are."""
    from grader.sandbox.launch import first_missing  # noqa: PLC0415 - not for a list

    missing = first_missing(exercise.packages)
    if missing is None:
        return None
    command = package_command(missing, EXTRAS)
    fields = {"exercises": exercise.name, "package": missing, "command": command}
    return Message("cli.package_missing", fields)


# --- the copy that a student works in ----------------------------------------------------------------------------


@dataclass(frozen=True)
class WorkingCopy:
    """A folder of exercise folders, and where its state lies."""

    exercises: Path
    state: Path
    current: str | None  # the exercise whose folder the working directory is


def find_working_copy(course: Course) -> WorkingCopy:
    """The exercises in the working directory, or in the nearest folder around it that has some.

    Raises:
        UsageError: there are none; says how to get some.
    """
    here = Path.cwd()
    exercises = exercises_around(course, here)
    if exercises is None:
        raise _no_exercises(course, here)
    current = next((name for name in course.names if here.is_relative_to(exercises / name)), None)
    name = current or course.names[0]
    return WorkingCopy(exercises, state_folder(exercises / name / "any.py", name), current)


def _no_exercises(course: Course, here: Path) -> UsageError:
    fields = {"folder": shown_path(here), "command": typed("grade start heads", course)}
    return UsageError(Message("cli.nothing_here", fields))
