"""Proof that the diagnosis of a mistake does not hang on the tolerance of its comparisons.

A diagnosis compares a submission with right code and with every mistake. Where no two of these differ by more than the
smallest tolerance and less than the largest, on no probe, each of these comparisons ends the same under all tolerances
between. What is left after it is confirmed on fresh probes, where a mistake is compared with its own model.
"""

from __future__ import annotations

from grader.audit.bench import Bench, shown_probe
from grader.audit.proof import Proof
from grader.diagnosis.behaviour import Behaviour
from grader.diagnosis.observation import Observation, distance

SMALLEST, LARGEST = 1e-9, 1e-3


def prove_tolerances(bench: Bench, proof: Proof) -> None:
    """No two behaviours are nearly the same on any probe; the first two that are, are told."""
    for index, probe in enumerate(bench.known.models.probes):
        met: list[tuple[Behaviour, Observation]] = []  # one of each behaviour on this probe
        for behaviour in (bench.known.right, *bench.known.mistaken):
            answer = behaviour.at(index)
            far = [(distance(answer, other), name) for name, other in met]
            near = [(each, other) for each, other in far if SMALLEST < each <= LARGEST]
            if near:
                one, other = _name(behaviour), _name(near[0][1])
                call = shown_probe(bench.known.models, probe)
                proof.find("nearly_alike", one=one, other=other, distance=f"{near[0][0]:.1e}", call=call)
                return
            if not any(each <= SMALLEST for each, _ in far):
                met.append((behaviour, answer))


def _name(behaviour: Behaviour) -> str:
    return " + ".join(behaviour.slugs) or "right"
