"""Proof that mistakes, alone and in pairs, are told apart by the probes, but for those that are declared to be alike.

    solutions/NN/confusion.toml
        [[hidden]]                       beside each of some mistakes, others do not show
        why = "The heads are never joined, so it does not matter how."
        beside = ["only-the-first-head", "only-the-last-head"]
        stages = ["merge"]               all mistakes of these stages
        mistakes = ["scores-rounded"]    and these

        [[alike]]                        ways of being wrong that answer every input the same; "a + b" is two at once
        why = "With weights that are not divided, only the number taken away from the scores matters."
        groups = [["softmax-over-heads + weights-not-divided", "maximum-over-heads + weights-not-divided"]]

What no input can tell apart must be on the list, and nothing else may. "right" stands there for right code.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from grader.audit.bench import QUICK_PAIRS, Bench, shown_probe
from grader.audit.mistakes import named_in
from grader.audit.proof import Proof
from grader.diagnosis.behaviour import Behaviour
from grader.diagnosis.observation import TOLERANCE, distance, same
from grader.strict_toml import Table, read_table

MARGIN = 1e-2  # two behaviours are apart where they differ by this, or in kind
RIGHT = "right"
QUICK_FRESH, FRESH = 20, 200  # random probes that must not tell apart what is declared to be alike

Group = Sequence[Behaviour]


@dataclass
class Confusion:
    """What cannot be told apart.

    Attributes:
        hidden: a mistake -> those that do not show beside it.
        alike: ways of being wrong, "a" or "a + b", that are one behaviour.
    """

    hidden: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    alike: set[frozenset[str]] = field(default_factory=set)


def prove_pairs(bench: Bench, proof: Proof) -> None:
    """The mistakes and pairs that look alike are those of confusion.toml, and everything else is clearly apart."""
    everything = list(_behaviours(bench))
    groups = _groups(bench, everything)
    found, declared = _confusion(groups), _declared(bench)
    _prove_declared(proof, found, declared)
    if bench.full:  # else there may be more that a quick audit has no time for
        _prove_alike(proof, found, declared)
    _prove_inseparable(bench, proof, groups)
    style = next(iter(bench.known.models.ways()))
    pairs = [each for each in everything if len(each.slugs) == 2 and each.style == style]
    alone = {id(each) for group in groups for each in group if len({other.slugs for other in group}) == 1}
    distinct = [each for each in pairs if id(each) in alone]
    proof.counts |= {"total": len(pairs), "distinct": len(distinct), "alike": len(pairs) - len(distinct)}
    if bench.full:
        _count_named(bench, proof, distinct)


def _behaviours(bench: Bench) -> Iterator[Behaviour]:
    """Right code, every mistake in every style, and every pair of two stages.

    A quick audit looks at pairs in one style only, and at none where they are too many.
    """
    known, models = bench.known, bench.known.models
    yield known.right
    yield from known.mistaken
    stage = {slug: of for slug, (of, _option) in models.mistakes.items()}
    pairs = [pair for pair in combinations(models.mistakes, 2) if stage[pair[0]] != stage[pair[1]]]
    styles = list(models.ways())
    if not bench.full:
        styles = styles[: len(pairs) <= QUICK_PAIRS]
    for pair in pairs:
        yield from (known.of(pair, style) for style in styles)


# --- who looks like whom -----------------------------------------------------------------------------------------


def _groups(bench: Bench, everything: Group) -> list[list[Behaviour]]:
    """Behaviours that are the same on every probe, together.

    Each is first placed by how far it is from right code, which those that are the same have in common; only what lies
    at the same place is compared.
    """
    places: dict[tuple[object, ...], list[tuple[float, list[Behaviour]]]] = defaultdict(list)
    indices = range(len(bench.known.models.probes))
    for behaviour in everything:
        far = [distance(behaviour.at(index), bench.known.right.at(index)) for index in indices]
        there = places[tuple(map(_kind, far))]
        size = sum(each for each in far if math.isfinite(each))
        low, high = size * (1 - TOLERANCE) - TOLERANCE, size * (1 + TOLERANCE) + TOLERANCE
        near = there[bisect_left(there, low, key=_place) : bisect_right(there, high, key=_place)]
        alike = (group for _, group in near if all(same(behaviour.at(i), group[0].at(i)) for i in indices))
        group = next(alike, None)
        if group is None:
            there.insert(bisect_left(there, size, key=_place), (size, [behaviour]))
        else:
            group.append(behaviour)
    return [group for there in places.values() for _, group in there]


def _place(placed: tuple[float, list[Behaviour]]) -> float:
    return placed[0]


def _kind(far: float) -> str:
    return "same" if far <= TOLERANCE else "kind" if far == math.inf else "value"


def _confusion(groups: Sequence[Group]) -> Confusion:
    found = Confusion()
    for group in groups:
        slugs = {each.slugs for each in group}
        singles = {each[0] for each in slugs if len(each) == 1}
        rest = set()
        for pair in (each for each in slugs if len(each) == 2):
            shown = [slug for slug in pair if slug in singles]
            for slug in shown:
                found.hidden[slug] |= set(pair) - {slug}
            if not shown:
                rest.add(" + ".join(sorted(pair)))
        ways = rest | singles | ({RIGHT} if () in slugs else set())
        if len(ways) > 1:
            found.alike.add(frozenset(ways))
    found.alike = {ways for ways in found.alike if not any(ways < other for other in found.alike)}
    return found


def _prove_inseparable(bench: Bench, proof: Proof, groups: Sequence[Group]) -> None:
    """What looks alike on the probes looks alike on random ones too; else a probe is missing."""
    rng = np.random.default_rng(1)
    models = bench.known.models
    fresh = [models.fresh_probe(rng) for _ in range(FRESH if bench.full else QUICK_FRESH)]
    for group in groups:
        first, *others = {each.slugs: each for each in group}.values()
        for other in others:
            shown = next((probe for probe in fresh if distance(first.on(probe), other.on(probe)) >= MARGIN), None)
            if shown is not None:
                proof.find("alike_separable", one=_name(first), other=_name(other), call=shown_probe(models, shown))


def _name(behaviour: Behaviour) -> str:
    return " + ".join(sorted(behaviour.slugs)) or RIGHT


# --- what is declared --------------------------------------------------------------------------------------------


def _declared(bench: Bench) -> Confusion:
    declared = Confusion()
    path = bench.exercise.solution / "confusion.toml"
    if not path.is_file():
        return declared
    table = read_table(path)
    for entry in table.array("hidden", optional=True):
        entry.string("why")
        mistakes = {*entry.optional_strings("mistakes"), *_of_stages(bench, entry)}
        for slug in entry.strings("beside"):
            declared.hidden[slug] |= mistakes
        entry.close()
    for entry in table.array("alike", optional=True):
        entry.string("why")
        for ways in entry.string_lists("groups"):
            declared.alike.add(frozenset(" + ".join(sorted(way.split(" + "))) for way in ways))
        entry.close()
    table.close()
    return declared


def _of_stages(bench: Bench, entry: Table) -> Iterator[str]:
    """Every mistake of the stages that an entry names."""
    models = bench.known.models
    for stage in entry.optional_strings("stages"):
        if stage not in models.stages:
            raise entry.error("stages", repr(stage), f"use some of {', '.join(models.stages)}")
        yield from (slug for slug, (of, _option) in models.mistakes.items() if of == stage)


def _prove_declared(proof: Proof, found: Confusion, declared: Confusion) -> None:
    """What looks alike is on the list."""
    for slug, more in _difference(found.hidden, declared.hidden):
        proof.find("hidden_undeclared", beside=slug, mistakes=", ".join(more))
    for ways in sorted(map(sorted, found.alike)):
        if not any(declared_ways.issuperset(ways) for declared_ways in declared.alike):
            proof.find("alike_undeclared", ways=", ".join(ways))


def _prove_alike(proof: Proof, found: Confusion, declared: Confusion) -> None:
    """What is on the list looks alike."""
    for slug, more in _difference(declared.hidden, found.hidden):
        proof.find("hidden_shows", beside=slug, mistakes=", ".join(more))
    for ways in sorted(map(sorted, declared.alike - found.alike)):
        proof.find("alike_apart", ways=", ".join(ways))


def _difference(one: Mapping[str, set[str]], other: Mapping[str, set[str]]) -> Iterator[tuple[str, list[str]]]:
    """What one has and the other lacks, by the mistake it is hidden beside."""
    for slug in sorted(one):
        more = sorted(one[slug] - other.get(slug, set()))
        if more:
            yield slug, more


# --- what is named -----------------------------------------------------------------------------------------------


def _count_named(bench: Bench, proof: Proof, distinct: Group) -> None:
    """How many of the pairs that can be told apart are named as the two mistakes they are."""
    proof.counts["named"] = sum(named_in(bench, each, seed=0) == set(each.slugs) for each in distinct)
    proof.form = "full"
