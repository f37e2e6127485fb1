"""Proof that mistakes, alone and in pairs, are told apart by the probes, but for those that are declared to be alike.

What no input can tell apart must be on the list, and nothing else may; see confusion.py.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np

from grader.audit.bench import QUICK_PAIRS, Bench, sample_of, shown_probe
from grader.audit.classes import MARGIN, both, classes_of
from grader.audit.confusion import RIGHT, Confusion, declared_confusion, way_of
from grader.audit.naming import prove_named
from grader.audit.proof import Proof
from grader.diagnosis.behaviour import Behaviour, Behaviours, Style
from grader.diagnosis.observation import distance, same

QUICK_CANDIDATES = 30  # that must not tell apart what is declared to be alike

Group = Sequence[Behaviour]


def prove_pairs(bench: Bench, proof: Proof) -> None:
    """The mistakes and pairs that look alike are those of confusion.toml, and everything else is clearly apart."""
    ways = [each for each in everything(bench, full=bench.full) if not bench.one_of_twins.intersection(each.slugs)]
    groups = _groups(bench, ways)
    found, declared = _confusion(groups), declared_confusion(bench.known.models)
    _prove_declared(proof, found, declared)
    if bench.full:  # else there may be more that a quick audit has no time for
        _prove_alike(proof, found, declared)
    _prove_inseparable(bench, proof, groups)
    pairs = [each for each in ways if len(each.slugs) == 2 and each.style == bench.known.styles[0]]
    alone = {id(each) for group in groups for each in group if len({other.slugs for other in group}) == 1}
    distinct = [each for each in pairs if id(each) in alone]
    proof.counts |= {"total": len(pairs), "distinct": len(distinct), "alike": len(pairs) - len(distinct)}
    if bench.full:
        prove_named(bench, proof, distinct, declared)


def everything(bench: Bench, *, full: bool = True) -> Iterator[Behaviour]:
    """Right code, every mistake in every style, and every pair of two stages.

    A quick audit looks at a sample of the pairs, in the first style. A full one looks at each of them, also in those
    styles in which one of its mistakes alone looks otherwise than in the first; only `every` leaves out none.
    """
    known, models = bench.known, bench.known.models
    yield known.right
    yield from known.mistaken
    stage = {slug: of for slug, (of, _option) in models.mistakes.items()}
    pairs = [pair for pair in combinations(models.mistakes, 2) if stage[pair[0]] != stage[pair[1]]]
    if not full:
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


def _groups(bench: Bench, ways: Group) -> list[list[Behaviour]]:
    """Behaviours that no probe tells apart by the margin, together."""
    indices = range(len(bench.known.models.probes))
    classes = np.zeros(len(ways), dtype=np.int64)
    for index in indices:
        classes = both(classes, classes_of([way.at(index) for way in ways]))
    members: dict[int, list[list[Behaviour]]] = defaultdict(list)
    for way, of in zip(ways, classes.tolist(), strict=True):
        there = members[of]
        group = next((g for g in there if all(distance(way.at(i), g[0].at(i)) < MARGIN for i in indices)), None)
        if group is None:
            there.append([way])
        else:
            group.append(way)
    return [group for there in members.values() for group in there]


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
    """What looks alike on the probes looks alike on every candidate too; else a probe is missing."""
    models, candidates = bench.known.models, range(len(bench.candidates))
    tried = candidates if bench.full else sample_of(candidates, QUICK_CANDIDATES)
    for group in groups:
        first, *others = {each.slugs: each for each in group}.values()
        for other in others:
            probes = (bench.candidates[index].probe for index in tried if _parts(bench, index, first, other))
            shown = next(probes, None)
            if shown is not None:
                proof.find(
                    "alike_separable",
                    one=_name(first),
                    other=_name(other),
                    call=shown_probe(models, shown),
                    exercise=bench.exercise.name,
                )


def _parts(bench: Bench, index: int, one: Behaviour, other: Behaviour) -> bool:
    """Whether a candidate that may be chosen tells the two apart."""
    probe = bench.candidates[index].probe
    return distance(one.on(probe), other.on(probe)) >= MARGIN and bench.is_clear(index)


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
