"""Says which exercise each file of a student answers: by its name, then by its folder, then by what it defines.

Sources are looked at with patterns only. They are not parsed here: a parser is attack surface, and this process
decides about everybody's points.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from grader.gradebook.inputs.found import Found
from grader.gradebook.inputs.names import stem_of, without_copy_mark
from grader.gradebook.inputs.students import HandIn
from grader.model import Exercise, Message

_DEFINITION = re.compile(
    rb"^(?:async[ \t]+)?(?:def|class)[ \t]+([A-Za-z_]\w*)|^([A-Za-z_]\w*)[ \t]*=[^=]", re.MULTILINE
)
_SEPARATORS = "_-. "
MAX_FILES_EACH = 200  # of one student; more is a library or a whole repository


class _Fit(NamedTuple):
    """How well a file fits an exercise; the greatest counts."""

    readable: bool
    by: int  # 4 its name, 3 a name that holds it, 2 its folder, 1 what it defines
    in_folder: bool  # it lies in the folder of the exercise
    is_python: bool  # its name ends with .py, not with .txt
    copy: int  # "concat (2).py" was saved after "concat (1).py"
    shallow: int


@dataclass(frozen=True)
class Chosen:
    """The file that counts for one exercise."""

    exercise: str
    found: Found


@dataclass(frozen=True)
class Matched:
    """What one student's files came to.

    Attributes:
        chosen: one file for each exercise that any was found for.
        left: files that no exercise was found for, and what could not be read.
        doubts: what a person may want to check.
    """

    chosen: tuple[Chosen, ...]
    left: tuple[Found, ...]
    doubts: tuple[Message, ...]


def match(
    hand_in: HandIn, exercises: Sequence[Exercise], asked: frozenset[str], read: Callable[[Found], bytes]
) -> Matched:
    """Match one student's files to exercises.

    Args:
        exercises: all of the course, so that an answer to another one is known as such.
        asked: names of those that are graded.
        read: the source of a file that has one.
    """
    files = sum(1 for found in hand_in.files if found.source or found.problem)
    if files > MAX_FILES_EACH:
        fields: dict[str, str | int] = {"files": files, "most": MAX_FILES_EACH}
        problem = Found((hand_in.student,), problem=Message("batch.too_many_files", fields))
        return Matched((), (problem,), ())
    fits: dict[str, list[tuple[_Fit, Found]]] = defaultdict(list)
    left: list[Found] = []
    doubts: list[Message] = []
    for found in hand_in.files:
        names, by = _exercises_of(found, exercises, asked, read)
        if len(names) > 1:
            told = {"student": hand_in.student, "file": found.place, "exercises": ", ".join(names)}
            doubts.append(Message("batch.several_exercises", told))
        if len(names) != 1:
            left.append(found)
            continue
        fits[names[0]].append((_fit(found, names[0], by), found))
        if by <= 1 and names[0] in asked:
            doubts.append(Message("batch.by_definition", _fields(hand_in, found, names[0])))
    chosen = []
    for name in sorted(fits.keys() & asked):
        best, *others = [found for _, found in sorted(fits[name], key=lambda one: one[0], reverse=True)]
        chosen.append(Chosen(name, best))
        if others:
            also = ", ".join(other.place for other in others[:5]) + (" …" if len(others) > 5 else "")
            doubts.append(Message("batch.several_files", {**_fields(hand_in, best, name), "others": also}))
    return Matched(tuple(chosen), tuple(left), tuple(doubts))


def _fields(hand_in: HandIn, found: Found, exercise: str) -> dict[str, str | int | float]:
    return {"student": hand_in.student, "file": found.place, "exercise": exercise}


def _fit(found: Found, exercise: str, by: int) -> _Fit:
    filename = found.parts[-1]
    copy = without_copy_mark(stem_of(filename))[1]
    in_folder = exercise in found.parts[:-1]
    python = filename.casefold().endswith(".py")
    return _Fit(found.source is not None, by, in_folder, python, copy, -len(found.parts))


def _exercises_of(
    found: Found, exercises: Sequence[Exercise], asked: frozenset[str], read: Callable[[Found], bytes]
) -> tuple[list[str], int]:
    """The exercises that a file may answer, and by what that is known."""
    bare = without_copy_mark(stem_of(found.parts[-1]))[0].casefold()
    if found.is_folder or (found.source is None and found.problem is None):
        return [], 0
    same = [exercise.name for exercise in exercises if exercise.module == bare]
    if same:
        return same, 4
    held = [exercise for exercise in exercises if _holds(bare, exercise.module)]
    if held:
        longest = max(len(exercise.module) for exercise in held)
        return [exercise.name for exercise in held if len(exercise.module) == longest], 3
    if found.source is None:
        return [], 0
    defined = {(one or other).decode() for one, other in _DEFINITION.findall(read(found))}
    fitting = [exercise for exercise in exercises if defined & set(exercise.defines)]
    inside = [exercise.name for exercise in fitting if exercise.name in found.parts[:-1]]
    if inside:
        return inside, 2
    return _by_definition(fitting, defined, asked), 1


def _by_definition(fitting: Sequence[Exercise], defined: set[str], asked: frozenset[str]) -> list[str]:
    """Of exercises that a file defines something of, those it defines most of; those asked for where that is a tie."""
    if not fitting:
        return []
    whole = [exercise for exercise in fitting if defined >= set(exercise.defines)] or list(fitting)
    most = max(len(defined & set(exercise.defines)) for exercise in whole)
    best = [exercise.name for exercise in whole if len(defined & set(exercise.defines)) == most]
    return [name for name in best if name in asked] or best


def _holds(stem: str, module: str) -> bool:
    """Whether a file name begins or ends with that of an exercise, set apart from the rest of it."""
    before, after = stem.removesuffix(module), stem.removeprefix(module)
    return (before != stem and before[-1:] in _SEPARATORS) or (after != stem and after[:1] in _SEPARATORS)
