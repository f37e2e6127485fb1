"""An answer of several parts of which one is wrong or missing: a gradient that does not arrive, one bias of six."""

from __future__ import annotations

from collections.abc import Iterator

from grader.diagnosis.leaves import Numbers, Place, Plain, leaf_distance
from grader.diagnosis.locating.evidence import Answer, Evidence
from grader.diagnosis.observation import TOLERANCE
from grader.model import Message


def missing(evidence: Evidence) -> Iterator[Message]:
    """None in a part that should hold numbers, in every answer that is wrong."""
    wrong = _wrong(evidence)
    if wrong and evidence.place and all(_is_none(answer, evidence.place) for answer in wrong):
        yield evidence.message("part_missing")


def only_one(evidence: Evidence) -> Iterator[Message]:
    """One part is wrong in every answer that is wrong, and all other parts are right."""
    wrong = _wrong(evidence)
    if wrong and evidence.place and all(_differing(answer) == [evidence.place] for answer in wrong):
        yield evidence.message("part_only")


def _wrong(evidence: Evidence) -> list[Answer]:
    return [answer for answer, case in zip(evidence.answers, evidence.cases, strict=True) if case.wrong]


def _is_none(answer: Answer, place: Place) -> bool:
    leaf = answer.seen.leaves.get(place)
    is_none = isinstance(leaf, Plain) and leaf.kind == "NoneType"
    return is_none and _has_several(answer) and isinstance(answer.right.leaves.get(place), Numbers)


def _has_several(answer: Answer) -> bool:
    return sum(isinstance(leaf, Numbers) for leaf in answer.right.leaves.values()) > 1


def _differing(answer: Answer) -> list[Place]:
    """The parts that differ; none where an argument was changed or the parts are not the same ones."""
    right, seen = answer.right, answer.seen
    if not _has_several(answer) or right.leaves.keys() != seen.leaves.keys() or right.changed != seen.changed:
        return []
    return [place for place, leaf in right.leaves.items() if leaf_distance(leaf, seen.leaves[place]) > TOLERANCE]
