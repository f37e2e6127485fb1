"""Finds several mistakes that together explain a submission which no single one explains.

    parts --------------> pairs ------------------------------> triples
    show only where       a part and one that shows on the      a pair and one that shows on the first
    it is wrong           first probe left unexplained          probe left unexplained

A part that alone makes no difference on a probe is taken to make none there beside others, and a style that looks the
same on a few probes to look the same on all; two parts that undo each other on some probes are looked for on request,
such as a wrong way to split and the same wrong way back. What is found this way is then compared on every probe, so
that this can only miss something, never name it wrongly. At most one mistake of each stage is made at a time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from grader.diagnosis.behaviour import Behaviour, Behaviours, Style
from grader.diagnosis.observation import Observation, same, shared_faults, text_fits

MOST_PARTS = 3
MOST_TRIED = 1000  # of one size; an answer that nobody teaches would otherwise be held against all there are
MOST_CANCELLED = 2  # probes on which two parts may undo each other
STYLE_PROBES = 3  # that show a mistake, on which its styles are compared
TELLING_PROBES = 2  # whose answers have most parts, on which faults are counted


class Combinations:
    """The search for the combinations that a submission may be, from small to large.

    With `may_cancel` a part may show on a few probes on which the submission is right.
    """

    def __init__(
        self, known: Behaviours, seen: Sequence[Observation], wrong: Collection[int], *, may_cancel: bool = False
    ) -> None:
        self._known = known
        self._seen = seen
        asked = {index for index, observation in enumerate(seen) if observation.asked}
        self._rest = sorted(asked - set(wrong))
        self._stage = {slug: stage for slug, (stage, _option) in known.models.mistakes.items()}
        most = MOST_CANCELLED if may_cancel else 0
        parts = [part for part in known.mistaken if sum(known.shows(part, index) for index in self._rest) <= most]
        # where few of the parts show, few can be meant
        in_one_style = [part for part in parts if part.style == known.styles[0]]
        counts = {index: sum(known.shows(part, index) for part in in_one_style) for index in wrong}
        self._order = sorted(wrong, key=lambda index: (counts[index], index))
        self._parts = parts
        self._styles = {part: self._styles_like(part) for part in parts}
        # what explains most is looked at first: all up to some probe, single probes, or some of what is wrong on them
        telling = sorted(self._order, key=lambda index: -len(known.right.at(index).leaves))[:TELLING_PROBES]
        ranked = sorted(parts, key=lambda part: (-self._explained_anywhere(part), -self._shared_faults(part, telling)))
        self._larger = sorted(((part, self._explained(part)) for part in ranked), key=lambda pair: -pair[1])

    def next_size(self) -> list[Behaviour]:
        """The combinations of one mistake more than before, two at first, that do the same on every probe."""
        grown = list(self._grown())
        self._larger = sorted(grown, key=lambda pair: -pair[1])
        return [found for found, explained in grown if explained == len(self._order) and self._fits_elsewhere(found)]

    def _grown(self) -> Iterator[tuple[Behaviour, int]]:
        tried: set[tuple[tuple[str, ...], Style]] = set()
        for smaller, explained in self._larger:
            if explained == len(self._order) or (len(smaller.slugs) > 1 and not explained):
                continue  # refuted by fresh probes or where nothing should show; or two that explain nothing yet
            for combination in self._extended(smaller, self._order[explained]):
                if combination in tried:
                    continue
                if len(tried) == MOST_TRIED:
                    return
                tried.add(combination)
                found = self._known.of(*combination)
                yield found, self._explained(found)

    def _extended(self, smaller: Behaviour, index: int) -> Iterator[tuple[tuple[str, ...], Style]]:
        """With one part more that shows on this probe and belongs to another stage."""
        stages = {self._stage[slug] for slug in smaller.slugs}
        styles = self._styles_of(smaller)
        for part in self._parts:
            (slug,) = part.slugs
            if part.style in styles and self._stage[slug] not in stages and self._known.shows(part, index):
                both = self._styles[part] & styles
                style = next(each for each in self._known.styles if each in both)
                yield tuple(each for each in self._stage if each == slug or each in smaller.slugs), style

    def _styles_of(self, behaviour: Behaviour) -> frozenset[Style]:
        """The styles in which each of its mistakes alone looks as it does in this one."""
        parts = [self._known.of((slug,), behaviour.style) for slug in behaviour.slugs]
        return frozenset.intersection(*(self._styles[part] for part in parts))

    def _styles_like(self, part: Behaviour) -> frozenset[Style]:
        """The styles in which it looks the same, of those in which it does not show where nothing is wrong."""
        if len(self._known.styles) == 1:
            return frozenset(self._known.styles)
        others = [other for other in self._parts if other.slugs == part.slugs]
        probes = [index for index in self._order if self._known.shows(part, index)][:STYLE_PROBES]
        return frozenset(
            other.style
            for other in others
            if other is part or all(_alike(part.at(index), other.at(index)) for index in probes)
        )

    def _explained(self, behaviour: Behaviour) -> int:
        """How many of the probes in order it explains, up to the first that it does not."""
        for count, index in enumerate(self._order):
            if not same(self._seen[index], behaviour.at(index)):
                return count
        return len(self._order)

    def _explained_anywhere(self, part: Behaviour) -> int:
        """How many of the wrong probes it explains: those on which another mistake beside it does not show."""
        return sum(same(self._seen[index], part.at(index)) for index in self._order)

    def _shared_faults(self, part: Behaviour, telling: Sequence[int]) -> int:
        """How much of what is wrong on these probes it explains."""
        right = self._known.right
        return sum(shared_faults(self._seen[index], part.at(index), right.at(index)) for index in telling)

    def _fits_elsewhere(self, behaviour: Behaviour) -> bool:
        return all(same(self._seen[index], behaviour.at(index)) for index in self._rest)


def _alike(a: Observation, b: Observation) -> bool:
    """Whether two ways of writing a mistake look the same, down to what an exception says."""
    return same(a, b) and (a.raised is None or b.raised is None or text_fits(a.raised, b.raised))
