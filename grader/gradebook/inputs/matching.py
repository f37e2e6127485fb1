"""Says which exercise each file of a student answers: by its name, then by its folder, then by what it defines.

A notebook may answer several exercises.

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
    submitted_at: str  # as far as a download tells it
    by: int  # 4 its name, 3 a name that holds it, 2 its folder, 1 what it defines
    in_folder: bool  # it lies in the folder of the exercise
    is_python: bool  # its name ends with .py, not with .txt or .ipynb
    copy: int  # "concat (2).py" was saved after "concat (1).py"
    shallow: int


@dataclass(frozen=True)
class Chosen:
    """The file that counts for one exercise.

    Attributes:
        others: where the best counts, the other files that answer it, the later ones first.
        note: what is to be known of how it was chosen.
        without: the packages whose use was left out of a notebook, as this exercise has and needs none of them.
    """

    exercise: str
    found: Found
    others: tuple[Found, ...] = ()
    note: Message | None = None
    without: tuple[str, ...] = ()


@dataclass(frozen=True)
class Matched:
    """What one student's files came to.

    Attributes:
        chosen: one file for each exercise that any was found for.
        left: files that no exercise was found for, and what could not be read.
        doubts: what a person may want to check.
        any_fits: some file fits an exercise, be it one that is not graded now, or several.
    """

    chosen: tuple[Chosen, ...]
    left: tuple[Found, ...]
    doubts: tuple[Message, ...]
    any_fits: bool = True


def match(
    hand_in: HandIn,
    exercises: Sequence[Exercise],
    asked: frozenset[str],
    read: Callable[[Found], bytes],
    *,
    best: bool = False,
) -> Matched:
    """Match one student's files to exercises.

    Args:
        exercises: all of the course, so that an answer to another one is known as such.
        asked: names of those that are graded.
        read: the source of a file that has one.
        best: of several files for one exercise the best counts, which is not known here, not the latest.
    """
    files = sum(1 for found in hand_in.files if found.source or found.problem)
    if files > MAX_FILES_EACH:
        fields: dict[str, str | int] = {"files": files, "most": MAX_FILES_EACH}
        problem = Found((hand_in.student,), problem=Message("batch.too_many_files", fields))
        return Matched((), (problem,), ())
    fits: dict[str, list[tuple[_Fit, Found]]] = defaultdict(list)
    left: list[Found] = []
    doubts: list[Message] = []
    any_fits = False
    for found in hand_in.files:
        names, by = _exercises_of(found, exercises, asked, read)
        any_fits = any_fits or bool(names)
        if len(names) > 1 and not found.is_notebook:
            told = {"student": hand_in.student, "file": found.place, "exercises": ", ".join(names)}
            doubts.append(Message("batch.several_exercises", told))
        if not names or (len(names) > 1 and not found.is_notebook):
            left.append(found)
            continue
        for name in names:
            fits[name].append((_fit(found, name, by), found))
        if found.note is not None and set(names) & asked:
            doubts.append(Message("batch.magics", {"student": hand_in.student, **found.note.fields}))
    chosen = [_chosen(name, fits[name], best=best) for name in sorted(fits.keys() & asked)]
    notes = [one.note for one in chosen if one.note is not None]
    doubts += [Message(note.key.replace(".note_", "."), {"student": hand_in.student, **note.fields}) for note in notes]
    return Matched(tuple(chosen), tuple(left), tuple(doubts), any_fits)


def _chosen(exercise: str, fitting: Sequence[tuple[_Fit, Found]], *, best: bool) -> Chosen:
    """The file that counts, and what a person may want to check about that."""
    (fit, first), *rest = sorted(fitting, key=lambda one: one[0], reverse=True)
    others = tuple(found for _fit, found in rest)
    fields: dict[str, str | int | float] = {"file": first.place, "exercise": exercise}
    note = None
    if others:
        also = ", ".join(other.place for other in others[:5]) + (" …" if len(others) > 5 else "")
        note = Message("batch.note_best_of" if best else "batch.note_several_files", {**fields, "others": also})
    elif fit.by <= 1 and not first.is_notebook:
        note = Message("batch.note_by_definition", fields)
    return Chosen(exercise, first, others if best else (), note)


def _fit(found: Found, exercise: str, by: int) -> _Fit:
    filename = found.handed_in[-1]
    copy = without_copy_mark(stem_of(filename))[1]
    in_folder = exercise in found.handed_in[:-1]
    python = filename.casefold().endswith(".py")
    return _Fit(found.is_read, found.submitted_at, by, in_folder, python, copy, -len(found.handed_in))


def _exercises_of(
    found: Found, exercises: Sequence[Exercise], asked: frozenset[str], read: Callable[[Found], bytes]
) -> tuple[list[str], int]:
    """The exercises that a file may answer, and by what that is known."""
    if found.is_folder or not found.handed_in or (found.source is None and found.problem is None):
        return [], 0
    defined = _defined(read(found)) if found.source else set()
    if found.is_notebook and (names := _in_notebook(exercises, defined)):
        return names, 1
    names, by = _by_name(without_copy_mark(stem_of(found.handed_in[-1]))[0].casefold(), exercises)
    if names:
        return names, by
    fitting = [exercise for exercise in exercises if defined & set(exercise.defines)]
    inside = [exercise.name for exercise in fitting if exercise.name in found.handed_in[:-1]]
    return (inside, 2) if inside else (_by_definition(fitting, defined, asked), 1)


def _by_name(bare: str, exercises: Sequence[Exercise]) -> tuple[list[str], int]:
    same = [exercise.name for exercise in exercises if exercise.module == bare]
    held = [exercise for exercise in exercises if _holds(bare, exercise.module)]
    longest = max((len(exercise.module) for exercise in held), default=0)
    return (same, 4) if same else ([exercise.name for exercise in held if len(exercise.module) == longest], 3)


def _defined(source: bytes) -> set[str]:
    """The names that a source defines outside of any function."""
    return {(one or other).decode() for one, other in _DEFINITION.findall(source)}


def _in_notebook(exercises: Sequence[Exercise], defined: set[str]) -> list[str]:
    """The exercises that a notebook answers: those whole, and those it defines something of that no whole one needs."""
    whole = [exercise for exercise in exercises if defined >= set(exercise.defines)]
    further = defined.difference(*(exercise.defines for exercise in whole))
    return [exercise.name for exercise in exercises if exercise in whole or further & set(exercise.defines)]


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
