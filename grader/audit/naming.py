"""Proof that pairs of mistakes which can be told apart are named as these two, or are declared not to be."""

from __future__ import annotations

from collections.abc import Sequence

from grader.audit.bench import FULL_PAIRS, SEEDS, Bench, sample_of
from grader.audit.confusion import Confusion, way_of
from grader.audit.proof import Proof
from grader.audit.tolerances import unsteady
from grader.diagnosis.behaviour import Behaviour, Behaviours
from grader.diagnosis.matching import Matching

STEADY = 20  # pairs that are diagnosed with each seed, and under each tolerance


def prove_named(bench: Bench, proof: Proof, pairs: Sequence[Behaviour], declared: Confusion) -> None:
    """Each pair is named exactly, or is on the list of those that are not.

    Args:
        pairs: those that are apart by more than any tolerance, on some probe, from everything else: so what matches in
            the end hangs on none. What is left is which probes count as wrong, and right code decides that.
    """
    diagnosed = pairs if bench.every else sample_of(pairs, FULL_PAIRS)
    named = [each for each in diagnosed if is_named(bench.known, each, SEEDS[0])]
    exactly = {way_of(*each.slugs) for each in named}
    others = {way_of(*each.slugs) for each in diagnosed} - exactly
    for pair in sorted(others - declared.unnamed):
        proof.find("pair_unnamed", pair=pair)
    apart = {way_of(*each.slugs) for each in pairs}
    for pair in sorted(declared.unnamed - (apart - exactly)):
        proof.find("unnamed_named", pair=pair)
    sample = sample_of(named, STEADY)
    hanging = unsteady(bench, proof, sample, (bench.known.right,))
    for each in sample:
        if not all(is_named(bench.known, each, seed) for seed in SEEDS):
            proof.find("pair_unsteady", pair=way_of(*each.slugs))
            hanging.add(each)
    proof.counts |= {"diagnosed": len(diagnosed), "named": len(named), "declared": len(others & declared.unnamed)}
    proof.counts |= {"sampled": len(sample), "steady": len(sample) - len(hanging)}
    proof.form = "full"


def is_named(known: Behaviours, behaviour: Behaviour, seed: int) -> bool:
    """Whether a diagnosis names in this code just the mistakes that it makes.

    It is found out as a diagnosis does, but without what trusted code has no need of: it does the same every time, and
    no input has to be found that shows its mistakes.
    """
    matching = Matching(known, lambda planned: behaviour.on(planned.probe), seed)
    found = matching.explained([behaviour.at(index) for index in range(len(known.models.probes))])
    return [set(each.slugs) for each in found] == [set(behaviour.slugs)]
