"""Proof that the chosen probes still are what they were, and still catch and show what all the candidates do.

That they tell everything apart is proved with the pairs, see matrix.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from grader.audit.bench import Bench, shown_probe
from grader.audit.choosing import SHOWN, wrong_on
from grader.audit.classes import MARGIN
from grader.audit.proof import Proof
from grader.diagnosis import choice
from grader.diagnosis.behaviour import Behaviour
from grader.diagnosis.choice import hash_of, read_choice
from grader.diagnosis.observation import distance


def prove_probes(bench: Bench, proof: Proof) -> None:
    """The probes are those that were chosen, each mutant is wrong on one of them, and each mistake shows on several.

    An exercise without a choice asks all that the author wrote, and is only told how many that are.
    """
    models = bench.known.models
    picks = read_choice(models.path.with_name(choice.NAME))
    proof.counts |= {"probes": len(models.probes), "candidates": len(bench.candidates)}
    if not picks:
        proof.form = "none"
        return
    hashes = {(each.origin, each.number): hash_of(each.probe) for each in bench.candidates}
    for pick in picks:
        if hashes.get((pick.origin, pick.number)) != pick.hash:
            proof.find("probe_changed", origin=pick.origin, number=pick.number, exercise=bench.exercise.name)
            proof.form = "none"
            return
    chosen = {(pick.origin, pick.number) for pick in picks}
    which = [index for index, each in enumerate(bench.candidates) if (each.origin, each.number) in chosen]
    others = [index for index in range(len(bench.candidates)) if index not in which]
    _prove_caught(bench, proof, which, others)
    for behaviour in bench.known.mistaken:
        if len(list(islice(_shown_on(bench, behaviour, which), SHOWN))) < SHOWN:
            more = next(filter(bench.is_clear, _shown_on(bench, behaviour, others)), None)
            if more is not None:
                call = shown_probe(models, bench.candidates[more].probe)
                proof.find("probe_shows_not", slug=behaviour.slugs[0], call=call, exercise=bench.exercise.name)


def _prove_caught(bench: Bench, proof: Proof, which: list[int], others: list[int]) -> None:
    caught = 0
    for mutant in bench.mutants:
        if next(wrong_on(bench, mutant, which), None) is not None:
            caught += 1
            continue
        missed = next(filter(bench.is_clear, wrong_on(bench, mutant, others)), None)
        if missed is not None:
            call = shown_probe(bench.known.models, bench.candidates[missed].probe)
            proof.find("probe_misses", mutant=mutant.name, call=call, exercise=bench.exercise.name)
    proof.counts["caught"] = caught


def _shown_on(bench: Bench, behaviour: Behaviour, which: list[int]) -> Iterator[int]:
    """Those of these candidates on which a mistake shows."""
    for index in which:
        if distance(behaviour.on(bench.candidates[index].probe), bench.right_on_candidates(index)) >= MARGIN:
            yield index
