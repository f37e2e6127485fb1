"""Proof that somebody else agrees with the reference: the same functions written another way, from the definition."""

from __future__ import annotations

from grader.audit.bench import Bench, shown_probe
from grader.audit.proof import Proof
from grader.course import load_module
from grader.diagnosis.observation import distance, observation_of
from grader.sandbox.client import LocalSubject

AGREE = 1e-9  # relative difference between two ways of computing the same


def prove_oracle(bench: Bench, proof: Proof) -> None:
    """`oracle.py` of the solution, where there is one, answers every input as the reference does."""
    path = bench.exercise.solution / "oracle.py"
    if not path.is_file():
        proof.form = "none"
        return
    observe = bench.known.models.observe
    oracle, reference = (LocalSubject(load_module(each)) for each in (path, bench.exercise.reference))
    for probe in bench.inputs:
        seen, wanted = (observation_of(observe, subject, probe) for subject in (oracle, reference))
        if not seen.asked:
            proof.find("oracle_silent", call=bench.known.models.call_of(probe))
            break
        if not distance(seen, wanted) <= AGREE:
            proof.find("oracle_differs", call=shown_probe(bench.known.models, probe))
            break
    proof.counts["inputs"] = len(bench.inputs)
