"""Mistakes that are written as right code, or as another mistake: no input that was tried tells the two apart."""

from __future__ import annotations

from collections.abc import Sequence

from grader.audit.confusion import RIGHT, Confusion, declared_confusion
from grader.diagnosis.behaviour import Behaviours
from grader.diagnosis.choice import Candidate
from grader.diagnosis.models import MistakeModels
from grader.diagnosis.observation import same
from grader.errors import ContentError


def twins(known: Behaviours, candidates: Sequence[Candidate]) -> dict[str, str]:
    """A mistake -> what answers every probe and every candidate as it does, in every style: "right", or an earlier one.

    What confusion.toml declares to be alike is left out.
    """
    declared = _declared(known.models).alike
    found: dict[str, str] = {}
    slugs = tuple(known.models.mistakes)
    for place, slug in enumerate(slugs):
        for other in (RIGHT, *(each for each in slugs[:place] if each not in found)):
            is_declared = any(ways >= {slug, other} for ways in declared)
            if not is_declared and _answers_alike(known, candidates, slug, other):
                found[slug] = other
                break
    return found


def _declared(models: MistakeModels) -> Confusion:
    try:
        return declared_confusion(models)
    except ContentError:  # told where the pairs are proved
        return Confusion()


def _answers_alike(known: Behaviours, candidates: Sequence[Candidate], slug: str, other: str) -> bool:
    """Whether they do the same with everything; most differ on one of the first probes."""
    indices = range(len(known.models.probes))
    behind = () if other == RIGHT else (other,)
    ways = [(known.of((slug,), style), known.of(behind, style)) for style in known.styles]
    return all(same(a.at(index), b.at(index)) for a, b in ways for index in indices) and all(
        same(a.on(each.probe), b.on(each.probe)) for a, b in ways for each in candidates
    )
