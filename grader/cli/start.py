"""`grade start DIR`: writes the copy of the exercises that a student works in, and nothing that is hidden.

course/exercises/04_concat/  README.md, README.zh.md, concat.py, test_concat.py  -->  DIR/exercises/04_concat/
                             exercise.toml (hints and rules)                          stays: `grade` reads the course
course/exercises/mistakes.toml, course/solutions/                                     stay
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import click

from grader.cli.candidates import folders
from grader.cli.command import Command
from grader.cli.targets import chosen_course
from grader.course import Course, shown_path, typed
from grader.errors import ContentError, UsageError
from grader.model import Language, Message
from grader.report.visible import tell, visible
from grader.state import write_bytes_whole

OURS = {"exercise.toml"}  # of an exercise folder, read from the course only
CACHES = {"__pycache__"}


def command(language: Language) -> Command:
    """The command with its help in `language`."""
    options = [click.Option(["--course"], metavar="DIR", shell_complete=folders)]
    folder = click.Argument(["folder"], required=False, metavar="DIR", shell_complete=folders)
    return Command("start", language, options, partial(start, language), arguments=[folder])


def start(language: Language, folder: str | None, course: str | None) -> int:
    """Write every file that is not there yet; say which differ from the course and were kept.

    Raises:
        UsageError: no folder was given, it cannot be written, or it is part of the course.
        ContentError: something hidden lies among the exercises; nothing is written.
    """
    if folder is None:
        raise UsageError(Message("cli.start_where"))
    chosen = chosen_course(course)
    target = Path(folder)
    refuse_the_course_itself(chosen, target)
    files = {path.relative_to(chosen.root): path.read_bytes() for path in visible_files(chosen)}
    try:
        kept = [name for name, content in files.items() if not _put(target / name, content)]
    except OSError as error:
        fields = {"path": shown_path(Path(error.filename or target)), "reason": error.strerror or str(error)}
        raise UsageError(Message("cli.start_cannot_write", fields)) from error

    def put(key: str, **fields: str | int) -> None:
        print(tell(Message(f"cli.start_{key}", fields), language))

    put("done", folder=shown_path(target), count=len(chosen.names))
    if kept:
        put("kept")
    for name in kept:
        print("  " + visible(shown_path(target / name)))
    here = target.resolve() == Path.cwd()
    step = typed("grade list", chosen)
    put("next", command=step if here else f"cd {shlex.quote(shown_path(target))} && {step}")
    return 0


def refuse_the_course_itself(course: Course, target: Path) -> None:
    place = target.resolve()
    inside = [(course.root / part).resolve() for part in ("exercises", "solutions")]
    parts = [place, (place / "exercises").resolve()]
    if any(part.is_relative_to(each) for part in parts for each in inside):
        raise UsageError(Message("cli.start_in_course", {"folder": shown_path(target)}))


def _put(path: Path, content: bytes) -> bool:
    """Write a file that is not there yet; False where another one is."""
    if os.path.lexists(path):
        return path.is_file() and path.read_bytes() == content
    path.parent.mkdir(parents=True, exist_ok=True)
    write_bytes_whole(path, content)
    return True


# --- what may travel ---------------------------------------------------------------------------------------------


def visible_files(course: Course) -> Iterator[Path]:
    """The files of all exercises that a student gets, in order.

    Raises:
        ContentError: one of them is a link, or the same as a file of the solutions, or a starter that was written in.
    """
    for exercise in course.exercises.values():
        hidden = {content: path for path in _files(exercise.solution) if (content := path.read_bytes()).strip()}
        for path in _files(exercise.folder):
            if path.is_symlink():
                raise ContentError(f"{path}: found a link, which may lead anywhere; put a file in its place.")
            twin = exercise.suite if path.name == exercise.suite.name else hidden.get(path.read_bytes())
            if twin is not None:
                raise ContentError(f"{path}: found the hidden {twin}; put what a student may see in its place.")
            if path.name == exercise.filename and b"raise NotImplementedError" not in path.read_bytes():
                raise ContentError(
                    f"{path}: expected the starter, found a file without `raise NotImplementedError`, which would hand "
                    "out an answer; put the starter back (in a clone: git checkout), and build the package anew."
                )
            if path.relative_to(exercise.folder).as_posix() not in OURS:
                yield path


def _files(folder: Path) -> list[Path]:
    """Files in a folder and below, without caches and what begins with a dot."""
    found = []
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        passed_over = any(part.startswith(".") or part in CACHES for part in parts)
        if not passed_over and (path.is_symlink() or not path.is_dir()):
            found.append(path)
    return found
