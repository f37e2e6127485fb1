"""Chooses the probes of an exercise: few of its candidates that tell apart and catch what all of them do.

    mistakes, pairs of them --classes--> greedy: the candidate that parts most --+
    mutants of right solutions ------------> those that catch what is left ------+--> thinned out, most telling first

Answering every candidate takes long with thousands of pairs. A sample of them decides first; then all of them answer
what was chosen, and only those that still look alike answer the rest.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from grader.audit.bench import Bench, sample_of, shown_probe
from grader.audit.classes import MARGIN, Ints, both, classes_of
from grader.audit.matrix import everything
from grader.audit.mutants import Mutant
from grader.diagnosis.behaviour import Behaviour
from grader.diagnosis.choice import Candidate, written_choice
from grader.diagnosis.observation import distance, observation_of, same
from grader.errors import SubmissionError

SAMPLE = 200  # pairs of mistakes that decide first
SHOWN = 2  # chosen probes on which each mistake is seen, at least


@dataclass(frozen=True)
class Choice:
    """The chosen candidates, the most telling first, and how they were found.

    Attributes:
        text: of the file that keeps them.
        candidates, behaviours, mutants: how many there are, of mutants those that some candidate catches.
        alike: pairs of behaviours that may be alike with every candidate.
    """

    chosen: tuple[Candidate, ...]
    text: str
    candidates: int
    behaviours: int
    mutants: int
    alike: int


def choose(bench: Bench) -> Choice:
    """The choice for an exercise; raises ContentError where its mistakes.py is not well written."""
    behaviours = list(everything(bench))
    singles = [each for each in behaviours if len(each.slugs) < 2]
    pairs = [each for each in behaviours if len(each.slugs) == 2]
    every = [index for index in range(len(bench.candidates)) if bench.is_clear(index)]
    sample = _Parting([*singles, *sample_of(pairs, SAMPLE)], bench.candidates)
    chosen = sample.cover(every, ())
    parting = _Parting(behaviours, bench.candidates)
    chosen = parting.cover(every, chosen)
    caught = [_caught(bench, mutant, chosen, every) for mutant in bench.mutants]
    demands = [*_shown(sample, range(1, len(singles)), every), *_apart(parting, chosen, every), *caught]
    chosen += _meeting(demands, chosen, len(bench.candidates))
    chosen = parting.cover(_thinned(chosen, parting, demands), (), every=True)
    found = tuple(bench.candidates[index] for index in chosen)
    shown = [shown_probe(bench.known.models, each.probe) for each in found]
    alike = parting.left(parting.classes(chosen))
    killable = sum(bool(demand.by) for demand in caught)
    return Choice(found, written_choice(found, shown), len(bench.candidates), len(behaviours), killable, alike)


# --- telling apart -------------------------------------------------------------------------------------------------


@dataclass
class _Parting:
    """What candidates tell apart.

    Each candidate puts the behaviours into classes; several of them together put two into one class only where each of
    them does. Ways to write one mistake need not be told apart.
    """

    behaviours: Sequence[Behaviour]
    candidates: Sequence[Candidate]
    _found: dict[int, Ints] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        slugs = {each.slugs: index for index, each in enumerate(self.behaviours)}
        self._who = np.array([slugs[each.slugs] for each in self.behaviours])

    def classes(self, chosen: Iterable[int]) -> Ints:
        """The class of each behaviour, by what it does with all of these candidates."""
        found = np.zeros(len(self.behaviours), dtype=np.int64)
        for index in chosen:
            found = both(found, self._of(index))
        return found

    def _of(self, index: int) -> Ints:
        if index not in self._found:
            self._found[index] = self._answered(index, range(len(self.behaviours)))
        return self._found[index]

    def _answered(self, index: int, which: Collection[int]) -> Ints:
        probe = self.candidates[index].probe
        return classes_of([self.behaviours[each].on(probe) for each in which])

    def left(self, classes: Ints) -> int:
        """How many pairs of behaviours that differ in their mistakes are in one class."""
        alike = np.bincount(classes)
        of_one = np.unique(np.stack([classes, self._who]), axis=1, return_counts=True)[1]
        return int((alike * alike).sum() - (of_one * of_one).sum()) // 2

    def cover(self, among: Iterable[int], chosen: Sequence[int], *, every: bool = False) -> list[int]:
        """Chosen ones and after them, the most telling first, more: until nothing more is told apart by any.

        Only behaviours that are alike so far are asked more than what is chosen.

        Args:
            every: none is left out.
        """
        found = list(chosen)
        classes = self.classes(found)
        open_ = [index for index in among if index not in found]
        members = self._alike(classes)
        answers = {index: self._reduced(index, members) for index in open_}
        rest = _Parting([self.behaviours[each] for each in members], self.candidates)
        at = classes[members]
        while open_:
            left = rest.left(at) if len(members) else 0
            gains = [left - rest.left(both(at, answers[index])) if left else 0 for index in open_]
            best = int(np.argmax(gains))
            if not gains[best] and not every:
                break
            found.append(open_.pop(best))
            at = both(at, answers[found[-1]])
        return found

    def _alike(self, classes: Ints) -> list[int]:
        """The behaviours that are in one class with some of other mistakes."""
        slugs = np.unique(np.stack([classes, self._who]), axis=1)[0]
        shared = np.bincount(slugs, minlength=int(classes.max(initial=0)) + 1) > 1
        return [int(index) for index in np.flatnonzero(shared[classes])]

    def _reduced(self, index: int, members: list[int]) -> Ints:
        if len(members) == len(self.behaviours):
            return self._of(index)
        return self._found[index][members] if index in self._found else self._answered(index, members)


# --- demands -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Demand:
    """That some of the candidates are chosen, so many at least."""

    by: frozenset[int]
    least: int = 1

    def met(self, chosen: Collection[int]) -> bool:
        return len(self.by.intersection(chosen)) >= min(self.least, len(self.by))


def _shown(parting: _Parting, mistakes: Iterable[int], among: Iterable[int]) -> Iterator[_Demand]:
    """Each of these mistakes is apart from right code, the first behaviour, on several probes."""
    found = {index: parting.classes([index]) for index in among}
    for each in mistakes:
        by = frozenset(index for index, classes in found.items() if classes[each] != classes[0])
        yield _Demand(by, SHOWN)


def _apart(parting: _Parting, chosen: Sequence[int], among: Sequence[int]) -> Iterator[_Demand]:
    """Any two behaviours that are in one class with all the chosen, as others lie between them, and yet are apart."""
    classes = parting.classes(chosen)
    order = np.argsort(classes, kind="stable")
    for members in np.split(order, np.flatnonzero(np.diff(classes[order])) + 1):
        for one, other in combinations((parting.behaviours[index] for index in members), 2):
            if one.slugs != other.slugs:
                probes = ((index, parting.candidates[index].probe) for index in among)
                by = frozenset(i for i, probe in probes if distance(one.on(probe), other.on(probe)) >= MARGIN)
                yield _Demand(by)


def _caught(bench: Bench, mutant: Mutant, chosen: Sequence[int], among: Iterable[int]) -> _Demand:
    """A mutant is wrong on one of the chosen, or if on none of them, on some other candidate."""
    found = frozenset(wrong_on(bench, mutant, chosen))
    others = [index for index in among if index not in chosen]
    return _Demand(found or frozenset(wrong_on(bench, mutant, others)))


def wrong_on(bench: Bench, mutant: Mutant, which: Iterable[int]) -> Iterator[int]:
    """Those of the candidates on which a mutant differs from right code, in the sandbox, until it loses its worker."""
    models, right = bench.known.models, bench.right_on_candidates
    subject = bench.sandbox.open(mutant.source, bench.exercise.filename, bench.exercise.limits)
    index = -1
    try:
        for index in which:
            subject.begin_check()
            if not same(observation_of(models.observe, subject, bench.candidates[index].probe), right(index)):
                yield index
    except SubmissionError:
        yield index
    finally:
        subject.close()


def _meeting(demands: Sequence[_Demand], chosen: Sequence[int], count: int) -> list[int]:
    """Further candidates that meet what no chosen one does, each the one that most demands ask for."""
    found: list[int] = []
    while left := [demand.by for demand in demands if not demand.met([*chosen, *found])]:
        counts = np.bincount([index for by in left for index in by], minlength=count)
        counts[[*chosen, *found]] = 0
        found.append(int(counts.argmax()))
    return found


def _thinned(chosen: Sequence[int], parting: _Parting, demands: Sequence[_Demand]) -> list[int]:
    """Without those that are not needed beside the others."""
    least = parting.left(parting.classes(chosen))
    kept = list(chosen)
    for index in reversed(chosen):
        rest = [each for each in kept if each != index]
        if all(demand.met(rest) for demand in demands) and parting.left(parting.classes(rest)) == least:
            kept = rest
    return kept
