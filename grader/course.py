"""Finds a course, reads its exercises and mistakes strictly, and reads what a student handed in.

From a path that a student types only names are taken: which exercise, which file. Everything that decides about
points (suite, reference, limits, rules) is read from the course alone.
"""

from __future__ import annotations

import difflib
import os
import shlex
import stat
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType

from grader.errors import ContentError, GraderError, SubmissionError, UsageError
from grader.figures import declared_figures
from grader.model import Exercise, LessonRow, Limits, Message, Mistake, Submission
from grader.strict_toml import Table, read_table

MAX_SOURCE = 2**20  # bytes of a submission

# What an author may allow; a looping submission holds a grader for as long as this.
MOST = {"wall_s": 60.0, "cpu_s": 120, "memory_mib": 8192, "output_kib": 16384}
LEAST = {"wall_s": 0.1, "cpu_s": 1, "memory_mib": 16, "output_kib": 1}


@dataclass(frozen=True)
class Course:
    """A folder with `exercises/` and `solutions/`; each file in it is read when it is first asked for."""

    root: Path

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the exercises, in order; none of their files is read."""
        return tuple(sorted(found.parent.name for found in (self.root / "exercises").glob("*/exercise.toml")))

    @cached_property
    def exercises(self) -> Mapping[str, Exercise]:
        """Every exercise by name; raises ContentError for the first that is not well written."""
        return {name: load_exercise(self, name) for name in self.names}

    @property
    def mistakes(self) -> Mapping[str, Mistake]:
        """The catalogue of mistakes by slug, empty where the course has none."""
        return self._catalogue[1]

    @property
    def rows(self) -> Mapping[str, LessonRow]:
        """The rows of the lesson's error table by id, in order."""
        return self._catalogue[0]

    @cached_property
    def _catalogue(self) -> tuple[dict[str, LessonRow], dict[str, Mistake]]:
        path = self.root / "exercises" / "mistakes.toml"
        if not path.is_file():
            return {}, {}
        table = read_table(path)
        rows = {key: _row(key, row) for key, row in table.tables("row", optional=True)}
        mistakes = {slug: _mistake(slug, card, rows) for slug, card in table.tables("mistake", optional=True)}
        table.close()
        return rows, mistakes


# --- the course --------------------------------------------------------------------------------------------------


def installed_course() -> Path:
    """Root of the course that comes with the running grader: the copy inside the package, else its checkout.

    Raises:
        GraderError: the package holds neither.
    """
    package = Path(__file__).resolve().parent
    for root in (package / "packaged", package.parent):
        if (root / "exercises").is_dir() and (root / "solutions").is_dir():
            return root
    raise GraderError(f"{package}: no course beside it or in it. Install manyheads again, or pass --course DIR.")


def typed(command: str, course: Course, root: str | None = None) -> str:
    """The command as it has to be typed: with `--course` where the course is not the one that is installed.

    Args:
        root: shown in place of the folder of the course; a page may be read by somebody who should not know it.
    """
    if course.root == installed_course():
        return command
    return f"{command} --course {root or shlex.quote(shown_path(course.root))}"


def load_course(root: Path) -> Course:
    """The course in `root`; raises UsageError where no `exercises/` and `solutions/` lie there."""
    for part in ("exercises", "solutions"):
        if not (root / part).is_dir():
            raise UsageError(Message("course.no_course", {"path": shown_path(root), "missing": part}))
    return Course(root.resolve())


def unknown_exercise(course: Course, asked: str) -> UsageError:
    """The error of one who asks for an exercise that the course does not have; it names those there are."""
    return UsageError(Message("course.unknown_exercise", {"name": asked, "exercises": ", ".join(course.names)}))


def load_exercise(course: Course, name: str) -> Exercise:
    """One exercise, read from its own exercise.toml only.

    Raises:
        UsageError: the course has no exercise of this name.
        ContentError: exercise.toml has a missing, unknown or senseless field; names file, field, found and fix.
    """
    if name not in course.names:
        raise unknown_exercise(course, name)
    folder = course.root / "exercises" / name
    table = read_table(folder / "exercise.toml")
    exercise = Exercise(
        name=name,
        title=table.text("title"),
        module=table.identifier("module"),
        defines=table.identifiers("defines"),
        packages=table.strings("packages"),
        limits=_limits(table),
        rules={check: rule.whole_text() for check, rule in table.tables("check")},
        hints=tuple(hint.whole_text() for hint in table.array("hint")),
        source=table.text("source"),
        figures=declared_figures(table),
        folder=folder,
        solution=course.root / "solutions" / name,
    )
    table.close()
    return exercise


def load_module(path: Path) -> ModuleType:
    """A trusted Python file of a course (a reference, a mistakes.py), run anew as a module of its own.

    Raises:
        ContentError: the file is missing or raises.
    """
    module = ModuleType(f"course_{path.parent.name}_{path.stem}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module  # dataclasses look their module up there while it runs
    try:
        exec(compile(path.read_bytes(), path, "exec", dont_inherit=True), module.__dict__)  # noqa: S102 - trusted
    except FileNotFoundError as error:
        raise ContentError(f"{path}: found no such file; write it (see AUTHORING.md).") from error
    except Exception as error:
        raise ContentError(f"{path}: found {type(error).__name__} while it is run: {error}; mend it.") from error
    finally:
        del sys.modules[module.__name__]
    return module


def _limits(table: Table) -> Limits:
    defaults = Limits()
    limits = table.table("limits")
    if limits is None:
        return defaults
    given = {name: limits.number(name, getattr(defaults, name), LEAST[name], MOST[name]) for name in LEAST}
    limits.close()
    return Limits(**given)  # type: ignore[arg-type]  # `number` gives an int wherever the default is one


def _row(key: str, row: Table) -> LessonRow:
    title = row.text("title")
    row.close()
    return LessonRow(key, title)


def _mistake(slug: str, card: Table, rows: Mapping[str, LessonRow]) -> Mistake:
    if not all(part.isalnum() and part.islower() for part in slug.split("-")):
        raise card.error("", f"the slug {slug!r}", "write lower-case words joined by single hyphens")
    row = card.optional_string("row")
    if row is not None and row not in rows:
        raise card.error("row", repr(row), f"name one of {', '.join(rows) or 'the [row.…] tables, there are none'}")
    texts = {field: card.text(field) for field in ("title", "belief", "seen", "question", "place")}
    card.close()
    return Mistake(slug=slug, row=row, **texts)


# --- what a student points at ------------------------------------------------------------------------------------


def find_exercises(course: Course, path: Path, file: Path | None = None) -> list[tuple[Exercise, Path]]:
    """What to grade: each exercise that `path` names, with the student's file for it.

    Args:
        path: an exercise folder, a file in one, or a folder of exercise folders, wherever it lies.
        file: the file to grade in place of the one in the folder; then `path` names one exercise.

    Raises:
        UsageError: nothing is there, no exercise is named, or it cannot be told which.
    """
    # not resolved: the name that was typed decides, not where a link leads
    place = Path(os.path.abspath(path))  # noqa: PTH100
    for asked in (place, file):
        if asked is not None and not os.path.lexists(asked):
            raise _led_nowhere("not_there", course, asked)
    if not place.is_dir():
        return [(_exercise_of_file(course, place, file), place)]
    if place.name in course.names:
        exercise = load_exercise(course, place.name)
        return [(exercise, file or place / exercise.filename)]
    inside = [name for name in course.names if (place / name).is_dir()]
    if not inside:
        raise _led_nowhere("no_exercise_here", course, place)
    if file is not None:
        raise UsageError(Message("course.file_for_one", {"file": shown_path(file), "example": inside[0]}))
    exercises = [load_exercise(course, name) for name in inside]
    return [(exercise, place / exercise.name / exercise.filename) for exercise in exercises]


def _exercise_of_file(course: Course, path: Path, file: Path | None) -> Exercise:
    name = path.parent.name
    if name not in course.names:
        alike = [known for known in course.names if known.partition("_")[2] == path.stem]
        fields = {"path": shown_path(path), "example": [*alike, *course.names, ""][0]}
        raise UsageError(Message("course.which_exercise", fields))
    if file is not None:
        raise UsageError(Message("course.file_for_one", {"file": shown_path(file), "example": name}))
    exercise = load_exercise(course, name)
    if path.name != exercise.filename and (path.suffix != ".py" or path.name.startswith("test_")):
        fields = {"path": shown_path(path), "file": exercise.filename, "example": name}
        raise UsageError(Message("course.not_the_file", fields))
    return exercise


def _led_nowhere(key: str, course: Course, asked: Path) -> UsageError:
    """Where the exercises are and the one that was probably meant; without any around, how to get a copy."""
    around = exercises_around(course, Path(os.path.abspath(asked)).parent)  # noqa: PTH100 - no link is followed
    if around is None:
        fields = {"path": shown_path(asked), "command": typed("grade start heads", course)}
        return UsageError(Message(f"course.{key}_without_copy", fields))
    there = [name for name in course.names if (around / name).is_dir()]
    named = [name for name in (asked.name, asked.parent.name) if name in there]
    near = difflib.get_close_matches(asked.name, there, n=1)
    example = [*named, *near, *there, *course.names, ""][0]
    fields = {"path": shown_path(asked), "exercises": shown_path(around), "example": example}
    return UsageError(Message(f"course.{key}", fields))


def exercises_around(course: Course, place: Path) -> Path | None:
    """The folder of exercise folders at `place` or nearest around it; None where there is none."""
    for folder in (place, *place.parents):
        if folder.name in course.names:
            return folder.parent
        found = exercises_in(course, folder)
        if found is not None:
            return found
    return None


def exercises_in(course: Course, folder: Path) -> Path | None:
    """The folder itself, or `exercises/` in it, whichever holds exercise folders; None where neither does."""
    places = (folder, folder / "exercises")
    return next((place for place in places if any((place / name).is_dir() for name in course.names)), None)


# --- what a student handed in ------------------------------------------------------------------------------------


def read_submission(path: Path, exercise: Exercise, who: str) -> Submission:
    """The student's file, read once and never more than 1 MiB of it.

    Raises:
        SubmissionError: no such file, a link to elsewhere, a directory, no regular file, too large, or not readable.
    """
    name = shown_path(path)
    place = path.absolute()
    there = os.path.exists(place)  # noqa: PTH110 - Path.exists would raise where a folder is closed
    if there and not place.resolve().is_relative_to(place.parent.parent.resolve()):
        # in what somebody handed in, a link could name the reference, and be graded as theirs
        raise SubmissionError(Message("course.link_elsewhere", {"path": name, "target": str(place.resolve())}))
    try:
        # without O_NONBLOCK, opening a FIFO would wait for somebody to write to it
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError as error:
        raise SubmissionError(Message("course.no_file", {"path": name, "file": exercise.filename})) from error
    except OSError as error:
        raise _unreadable(name, error) from error
    try:
        source = _read_regular(descriptor, name)
    except OSError as error:
        raise _unreadable(name, error) from error
    finally:
        os.close(descriptor)
    from hashlib import sha256  # noqa: PLC0415 - loads OpenSSL, which `grade quiz due` does without

    return Submission(who, exercise.name, shown_path(Path(path.name)), source, sha256(source).hexdigest())


def _read_regular(descriptor: int, name: str) -> bytes:
    found = os.fstat(descriptor)
    if stat.S_ISDIR(found.st_mode):
        raise SubmissionError(Message("course.directory", {"path": name}))
    if not stat.S_ISREG(found.st_mode):
        raise SubmissionError(Message("course.no_regular_file", {"path": name}))
    if found.st_size > MAX_SOURCE:
        raise _too_large(name, found.st_size)
    with open(descriptor, "rb", closefd=False) as file:
        source = file.read(MAX_SOURCE + 1)
    if len(source) > MAX_SOURCE:  # it grew meanwhile
        raise _too_large(name, len(source))
    return source


def _too_large(name: str, size: int) -> SubmissionError:
    return SubmissionError(Message("course.too_large", {"path": name, "size": f"{size / 2**20:.1f}", "most": 1}))


def _unreadable(name: str, error: OSError) -> SubmissionError:
    return SubmissionError(Message("course.unreadable", {"path": name, "reason": error.strerror or str(error)}))


def shown_path(path: Path) -> str:
    """The path as text that any output can take: bytes that are no UTF-8 become replacement characters."""
    return os.fsencode(path).decode("utf-8", "replace")
