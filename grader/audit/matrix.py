"""Proof that mistakes, alone and in pairs, are told apart by the probes, but for those that are declared to be alike.

What no input can tell apart must be on the list, and nothing else may; see confusion.py.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np

from grader.audit.bench import QUICK_PAIRS, Bench, sample_of, shown_probe
from grader.audit.confusion import RIGHT, Confusion, declared_confusion, way_of
from grader.audit.naming import prove_named
from grader.audit.proof import Proof
from grader.diagnosis.behaviour import Behaviour, Behaviours, Style
from grader.diagnosis.observation import TOLERANCE, distance, same

MARGIN = 1e-2  # two behaviours are apart where they differ by this, or in kind
QUICK_FRESH, FRESH = 20, 100  # random probes that must not tell apart what is declared to be alike

Group = Sequence[Behaviour]


def prove_pairs(bench: Bench, proof: Proof) -> None:
    """The mistakes and pairs that look alike are those of confusion.toml, and everything else is clearly apart."""
    everything = list(_behaviours(bench))
    groups = _groups(bench, everything)
    found, declared = _confusion(groups), declared_confusion(bench.known.models)
    _prove_declared(proof, found, declared)
    if bench.full:  # else there may be more that a quick audit has no time for
        _prove_alike(proof, found, declared)
    _prove_inseparable(bench, proof, groups)
    pairs = [each for each in everything if len(each.slugs) == 2 and each.style == bench.known.styles[0]]
    alone = {id(each) for group in groups for each in group if len({other.slugs for other in group}) == 1}
    distinct = [each for each in pairs if id(each) in alone]
    proof.counts |= {"total": len(pairs), "distinct": len(distinct), "alike": len(pairs) - len(distinct)}
    if bench.full:
        prove_named(bench, proof, distinct, [group[0] for group in groups], declared)


def _behaviours(bench: Bench) -> Iterator[Behaviour]:
    """Right code, every mistake in every style, and every pair of two stages.

    A quick audit looks at a sample of the pairs, in the first style. A full one looks at each of them, also in those
    styles in which one of its mistakes alone looks otherwise than in the first; only `every` leaves out none.
    """
    known, models = bench.known, bench.known.models
    yield known.right
    yield from known.mistaken
    stage = {slug: of for slug, (of, _option) in models.mistakes.items()}
    pairs = [pair for pair in combinations(models.mistakes, 2) if stage[pair[0]] != stage[pair[1]]]
    if not bench.full:
        yield from (known.of(pair, known.styles[0]) for pair in sample_of(pairs, QUICK_PAIRS))
        return
    styles = {slug: set(known.styles if bench.every else _looks(known, slug)) for slug in models.mistakes}
    for one, other in pairs:
        shown = styles[one] | styles[other]
        yield from (known.of((one, other), style) for style in known.styles if style in shown)


def _looks(known: Behaviours, slug: str) -> Iterator[Style]:
    """The first style, and those in which a mistake looks otherwise than in it."""
    indices = range(len(known.models.probes))
    first = known.of((slug,), known.styles[0])
    for style in known.styles:
        other = known.of((slug,), style)
        if other is first or not all(same(first.at(index), other.at(index)) for index in indices):
            yield style


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
                rest.add(way_of(*pair))
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
    return way_of(*behaviour.slugs) or RIGHT


# --- what is declared --------------------------------------------------------------------------------------------


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
