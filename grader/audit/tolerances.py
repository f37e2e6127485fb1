"""Proof that the diagnosis of a mistake does not hang on the tolerance of its comparisons.

A diagnosis compares a submission with right code, with every mistake and with combinations of them. Where a mistake
differs from right code and from other mistakes by nothing between the smallest tolerance and the largest, on no probe,
these comparisons end the same under all tolerances between. Combinations that can be told apart differ by more than the
largest on some probe, so that only one of them ever matches; for these, right code alone is looked at. A match is then
confirmed on fresh probes, where it is compared with its own model.
"""

from __future__ import annotations

from collections.abc import Sequence

from grader.audit.bench import Bench, shown_probe
from grader.audit.confusion import RIGHT, way_of
from grader.audit.proof import Proof
from grader.diagnosis.behaviour import Behaviour
from grader.diagnosis.observation import Observation, distance, same

SMALLEST, LARGEST = 1e-9, 1e-3


def unsteady(
    bench: Bench, proof: Proof, behaviours: Sequence[Behaviour], others: Sequence[Behaviour]
) -> set[Behaviour]:
    """Those that are nearly the same as one of the others on some probe; the first of them is told."""
    found: set[Behaviour] = set()
    for index, probe in enumerate(bench.known.models.probes):
        for behaviour in behaviours:
            if behaviour in found:
                continue
            answer = behaviour.at(index)
            near = next((each for each in others if _nearly_alike(answer, each.at(index))), None)
            if near is None:
                continue
            if not found:
                one, other = (way_of(*each.slugs) or RIGHT for each in (behaviour, near))
                apart = f"{distance(answer, near.at(index)):.1e}"
                call = shown_probe(bench.known.models, probe)
                proof.find("nearly_alike", one=one, other=other, distance=apart, call=call)
            found.add(behaviour)
    return found


def _nearly_alike(a: Observation, b: Observation) -> bool:
    """Whether it hangs on the tolerance if they count as the same."""
    return same(a, b, LARGEST) and not same(a, b, SMALLEST)
