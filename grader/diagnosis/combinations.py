"""Finds several mistakes that together explain a submission which no single one explains.

    parts --------------> pairs ------------------------------> triples
    show only where       a part and one that shows on the      a pair and one that shows on the first
    it is wrong           first probe left unexplained          probe left unexplained

A part that alone makes no difference on a probe is taken to make none there beside others; what is found this way is
then compared on every probe, so that this can only miss something, never name it wrongly. At most one mistake of each
stage is made at a time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from grader.diagnosis.behaviour import Behaviour, Behaviours, Style
from grader.diagnosis.observation import Observation, same

MOST_PARTS = 3
MOST_TRIED = 1200  # of one size; an answer that nobody teaches would otherwise be held against all there are


class Combinations:
    """The search for the combinations that a submission may be, from small to large."""

    def __init__(self, known: Behaviours, seen: Sequence[Observation], wrong: Collection[int]) -> None:
        self._known = known
        self._seen = seen
        asked = {index for index, observation in enumerate(seen) if observation.asked}
        right = asked - set(wrong)
        self._parts = [m for m in known.mistaken if not known.shows[m] & right and known.shows[m] & set(wrong)]
        # where few of the parts show, few can be meant
        self._order = sorted(wrong, key=lambda index: (sum(index in known.shows[part] for part in self._parts), index))
        self._rest = [index for index in asked if index not in self._order]
        self._stage = {slug: stage for slug, (stage, _option) in known.models.mistakes.items()}
        self._larger: list[tuple[Behaviour, int]] = [(part, self._explained(part)) for part in self._parts]

    def next_size(self) -> list[Behaviour]:
        """The combinations of one mistake more than before, two at first, that do the same on every probe."""
        grown = list(self._grown())
        # what explains most is looked at first
        self._larger = sorted(grown, key=lambda pair: -pair[1])
        return [found for found, explained in grown if explained == len(self._order) and self._fits_elsewhere(found)]

    def _grown(self) -> Iterator[tuple[Behaviour, int]]:
        tried: set[tuple[tuple[str, ...], Style]] = set()
        for smaller, explained in self._larger:
            if explained == len(self._order) or (len(smaller.slugs) > 1 and not explained):
                continue  # refuted by fresh probes or where nothing should show; or two that explain nothing yet
            for slugs, written in self._extended(smaller, self._order[explained]):
                style = self._known.plain_style(slugs, written)
                if (slugs, style) in tried:
                    continue
                if len(tried) == MOST_TRIED:
                    return
                tried.add((slugs, style))
                found = self._known.of(slugs, style)
                yield found, self._explained(found)

    def _extended(self, smaller: Behaviour, index: int) -> Iterator[tuple[tuple[str, ...], Style]]:
        """With one part more that shows on this probe and belongs to another stage."""
        stages = {self._stage[slug] for slug in smaller.slugs}
        styles = self._known.styles_like(smaller.slugs, smaller.style)
        shows = self._known.shows
        for part in self._parts:
            (slug,) = part.slugs
            if index in shows[part] and part.style in styles and self._stage[slug] not in stages:
                yield tuple(each for each in self._stage if each == slug or each in smaller.slugs), part.style

    def _explained(self, behaviour: Behaviour) -> int:
        """How many of the probes in order it explains, up to the first that it does not."""
        for count, index in enumerate(self._order):
            if not same(self._seen[index], behaviour.at(index)):
                return count
        return len(self._order)

    def _fits_elsewhere(self, behaviour: Behaviour) -> bool:
        return all(same(self._seen[index], behaviour.at(index)) for index in self._rest)
