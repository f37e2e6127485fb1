"""Groups the behaviours that `grade --collect` has kept, so that an author sees which mistakes have no model yet.

    files --read--> signatures --same answers to the same probes--> groups, largest first

Signatures that were made with other probes than today's cannot be grouped with the rest, and are only counted.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grader.course import Course, load_exercise
from grader.diagnosis.behaviour import Behaviours, behaviours
from grader.diagnosis.leaves import Leaf, Numbers
from grader.diagnosis.signature import SCHEMA, Answer, probes_hash
from grader.errors import UsageError
from grader.model import Message

_FIELDS = {"exercise": str, "probes": str, "kind": str, "located": str, "answers": list, "schema": int}


@dataclass(frozen=True)
class Symptom:
    """What goes wrong on some of the probes, and on which.

    Attributes:
        message: key and fields of a sentence in grader/texts/audit.toml, without the probes.
        probes: their indices.
    """

    message: Message
    probes: tuple[int, ...]


@dataclass(frozen=True)
class Group:
    """Submissions that behave alike.

    Attributes:
        located: key of what their reports say, "" where they say nothing.
        symptoms: what they have in common, in order of the probes.
        call: the first probe that they answer wrongly, "" where only random ones show it.
        first: what they do with it.
    """

    size: int
    located: str
    symptoms: tuple[Symptom, ...]
    call: str
    first: str


@dataclass
class Mined:
    """What was found for one exercise; groups by size."""

    exercise: str
    signatures: int = 0
    outdated: int = 0
    groups: list[Group] = field(default_factory=list)


def mine(course: Course, files: Iterable[Path]) -> list[Mined]:
    """The groups of each exercise that the files tell of, in the order of the course.

    Raises:
        UsageError: a file cannot be read or holds something else.
        ContentError: mistakes.py of an exercise is not well written.
    """
    by_exercise: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for path in files:
        for each in _read(path):
            by_exercise[each["exercise"]].append(each)
    known = [name for name in course.names if name in by_exercise]
    strange = [Mined(name, len(found), len(found)) for name, found in by_exercise.items() if name not in known]
    return [*(_mined(course, name, by_exercise[name]) for name in known), *strange]


def _read(path: Path) -> Iterator[Mapping[str, Any]]:
    """Every signature of a file."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(Message("audit.mine_unreadable", {"file": str(path), "reason": str(error)})) from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            found = None
        if not _is_signature(found):
            raise UsageError(Message("audit.mine_not_a_signature", {"file": str(path), "line": number}))
        yield found


def _is_signature(found: object) -> bool:
    if not isinstance(found, dict) or found.get("schema") != SCHEMA:
        return False
    fits = all(isinstance(found.get(name), kind) for name, kind in _FIELDS.items())
    return fits and all(isinstance(answer, dict) and isinstance(answer.get("is"), str) for answer in found["answers"])


def _mined(course: Course, name: str, signatures: list[Mapping[str, Any]]) -> Mined:
    exercise = load_exercise(course, name)
    path = exercise.solution / "mistakes.py"
    known = behaviours(path, frozenset(course.mistakes), exercise.defines)
    right = [known.right.at(index) for index in range(len(known.models.probes))]
    today = probes_hash(right)
    alike: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for each in signatures:
        if each["probes"] == today and len(each["answers"]) == len(right):
            alike[json.dumps(each["answers"], sort_keys=True)].append(each)
    groups = [_group(known, each) for each in alike.values()]
    outdated = len(signatures) - sum(group.size for group in groups)
    return Mined(name, len(signatures), outdated, sorted(groups, key=lambda group: -group.size))


def _group(known: Behaviours, members: list[Mapping[str, Any]]) -> Group:
    answers: list[Answer] = members[0]["answers"]
    symptoms: dict[tuple[str, tuple[tuple[str, Any], ...]], list[int]] = defaultdict(list)
    for index, answer in enumerate(answers):
        if answer["is"] != "right":
            message = _symptom(known, index, answer)
            symptoms[message.key, tuple(message.fields.items())].append(index)
    wrong = [index for index, answer in enumerate(answers) if answer["is"] not in ("right", "not asked")]
    return Group(
        size=len(members),
        located=members[0]["located"],
        symptoms=tuple(Symptom(Message(key, dict(fields)), tuple(at)) for (key, fields), at in symptoms.items()),
        call=_shown_probe(known, wrong[0]) if wrong else "",
        first=_first(answers[wrong[0]]) if wrong else "",
    )


def _shown_probe(known: Behaviours, index: int) -> str:
    from grader.audit.bench import shown_probe  # noqa: PLC0415 - imports the sandbox, which only this line needs

    return shown_probe(known.models, known.models.probes[index])


def _symptom(known: Behaviours, index: int, answer: Answer) -> Message:
    """What is wrong about one answer, the outermost first."""
    if answer["is"] == "not asked":
        return Message("audit.mine_not_asked")
    if answer["is"] == "raises":
        return Message("audit.mine_raises", {"type": str(answer.get("type"))})
    wanted = known.right.at(index)
    kinds = (_kind(part, wanted.leaves.get(tuple(part["at"]))) for part in answer.get("parts", []))
    changed = ", ".join(map(str, answer.get("changed", [])))
    other = Message("audit.mine_changed", {"names": changed or "?"}) if "changed" in answer else None
    return next(filter(None, kinds), None) or other or Message("audit.mine_values")


def _kind(part: Mapping[str, Any], wanted: Leaf | None) -> Message | None:
    """In which way a part of an answer is of another kind than the expected one; None where only numbers differ."""
    if not isinstance(wanted, Numbers):
        form = wanted.kind if wanted else "-"
        return Message("audit.mine_form", {"got": str(part["form"]), "want": form}) if form != part["form"] else None
    told = {
        "mine_form": (str(part["form"]), wanted.form),
        "mine_shape": (_axes(part.get("shape", [])), _axes(wanted.values.shape)),
        "mine_dtype": (str(part.get("dtype")), wanted.values.dtype.kind),
    }
    return next((Message(f"audit.{key}", {"got": g, "want": w}) for key, (g, w) in told.items() if g != w), None)


def _axes(shape: Iterable[object]) -> str:
    return f"({', '.join(map(str, shape))})"


def _first(answer: Answer) -> str:
    """An answer in a few numbers, without words."""
    if answer["is"] == "raises":
        return str(answer.get("type"))
    parts = (part for part in answer.get("parts", []) if part.get("values"))
    told = [f"{_axes(part['shape'])} {', '.join(map(str, part['values']))}" for part in parts]
    return "; ".join(told[:2])
