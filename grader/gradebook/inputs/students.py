"""Says whose a file is: the first folder of its path, or, for a flat file, its name without the exercise's.

alice/concat.py, alice/exercises/04_concat/concat.py    alice
hw4/alice/concat.py where all lie in hw4/               alice
alice_concat.py, concat-alice.py, alice.py              alice
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from grader.gradebook.inputs.found import Found
from grader.gradebook.inputs.names import stem_of, without_copy_mark
from grader.gradebook.inputs.roster import Roster
from grader.model import Message

_SEPARATORS = "_-. "


@dataclass
class HandIn:
    """All that one student handed in.

    Attributes:
        student: id of the roster where one fits, else the name as it was found.
        files: what may be an answer, and folders that could not be read.
    """

    student: str
    files: list[Found] = field(default_factory=list)


@dataclass(frozen=True)
class Sorted:
    """The files of an input by student.

    Attributes:
        wrapper: the one folder that everything lay in, "" where there was none.
        nobodys: files that carry no student's name.
        doubts: names that a roster does not have.
    """

    hand_ins: tuple[HandIn, ...]
    wrapper: str
    nobodys: tuple[Found, ...]
    doubts: tuple[Message, ...]


def by_student(
    found: Sequence[Found], modules: Sequence[str], exercises: Sequence[str], roster: Roster | None
) -> Sorted:
    """Sort what was found by student.

    Args:
        modules: names of all answer files of the course, without ".py".
        exercises: names of its exercise folders.
    """
    wrapper = _wrapper(found, frozenset(modules), {"exercises", *exercises}, roster)
    hand_ins: dict[str, HandIn] = {}
    nobodys = []
    for one in found:
        parts = one.parts[1:] if wrapper else one.parts
        if not parts:
            continue
        flat = len(parts) == 1 and not one.is_folder
        student = _in_flat_name(parts[0], modules, roster) if flat else _known(parts[0], roster)
        if not student:
            nobodys.append(one)
            continue
        hand_ins.setdefault(student, HandIn(student)).files.append(one)
    doubts = _strangers(hand_ins, roster) if roster else ()
    return Sorted(tuple(hand_ins.values()), wrapper, tuple(nobodys), tuple(doubts))


def _known(name: str, roster: Roster | None) -> str:
    return (roster.id_of(name) if roster else None) or name.strip()


def _wrapper(found: Sequence[Found], modules: frozenset[str], course_folders: set[str], roster: Roster | None) -> str:
    """The folder that all of the input lies in, where the students are the next level."""
    tops = {one.parts[0] for one in found}
    if len(tops) != 1 or any(len(one.parts) < 2 and not one.is_folder for one in found):
        return ""
    (top,) = tops
    inner = {one.parts[1] for one in found if len(one.parts) > 2 or (len(one.parts) == 2 and one.is_folder)}
    flat = [one.parts[1] for one in found if len(one.parts) == 2 and not one.is_folder]
    if top in course_folders or (roster and roster.id_of(top)) or inner & course_folders:
        return ""
    if modules & {without_copy_mark(stem_of(name))[0].casefold() for name in flat}:
        return ""  # concat.py: it is the student's own folder
    return top if inner or len(flat) > 1 else ""


def _in_flat_name(filename: str, modules: Iterable[str], roster: Roster | None) -> str:
    """The student that the name of a flat file tells of, "" where it tells of none."""
    if roster and (student := roster.id_at_the_start_of(filename)):
        return student
    bare, _ = without_copy_mark(stem_of(filename))
    plain = bare.casefold()
    for module in sorted(modules, key=len, reverse=True):
        if plain == module:
            return ""
        if plain.endswith(module) and plain[-len(module) - 1] in _SEPARATORS:
            return _known(_trimmed(bare[: -len(module)]), roster)
        if plain.startswith(module) and plain[len(module)] in _SEPARATORS:
            return _known(_trimmed(bare[len(module) :]), roster)
    return _known(_trimmed(bare), roster)


def _trimmed(text: str) -> str:
    return text.strip(_SEPARATORS)


def _strangers(hand_ins: dict[str, HandIn], roster: Roster) -> Iterable[Message]:
    return [Message("batch.not_in_roster", {"student": name}) for name in hand_ins if name not in roster.names]
