"""What the answers of a class say about each question: how hard, how telling, which wrong answers, what to rewrite.

first scheduled answer of each learner to each question --count--> ItemFigures --rules with a least number--> Flag
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Literal

from grader.quiz.events import Event
from grader.quiz.items.figures import Interval, correlation, wilson
from grader.quiz.items.reading import Learner, answers_of
from grader.quiz.lock import Bank, Item

LEAST_FACILITY, LEAST_CORRELATION, LEAST_FLAG = 10, 20, 30  # answers
_LEAST_OTHERS = 5  # other questions that a learner has to have answered, to be compared with
_SPREAD = 0.2  # of facility between variants of one question
_HARD, _EASY = 0.3, 0.9  # the whole interval below or above
_UNEXPLAINED = 0.3  # of the wrong answers
_SURE = 0.3  # of those who were sure
_LEAST_SURE = 10
_STUCK_DAYS = 4  # on which a question was missed
_MOST_TYPED = 5  # wrong answers that no option explains, the most frequent ones
MOST_REWRITTEN = 5

Flag = Literal["against", "variants", "hard", "unexplained", "sure", "stuck", "idle", "easy"]
# How much each weighs in the order of what to rewrite.
WEIGHTS: Mapping[Flag, float] = {
    "against": 4,
    "variants": 3,
    "hard": 2,
    "unexplained": 2,
    "sure": 2,
    "stuck": 1,
    "idle": 0.5,
    "easy": 0.5,
}


@dataclass(frozen=True)
class OptionCount:
    """How often one wrong option was given; its mistake names it."""

    mistake: str
    count: int


@dataclass(frozen=True)
class VariantSpread:
    """Facility of the hardest and of the easiest variant, and how far apart chance alone would let them be."""

    low: float
    high: float
    chance: float


@dataclass(frozen=True)
class ItemFigures:
    """One question.

    Attributes:
        answers: first scheduled answers to this version, one for each learner.
        older: learners whose first answer was to an earlier version; they count nowhere else.
        facility: share of right ones; None without answers.
        correlation: rest point-biserial: of being right here with the share right elsewhere; None below 20 answers.
        options: wrong options by frequency, those that nobody gave at the end.
        unexplained: wrong answers that no option explains, and the most frequent of them as they were understood.
        seconds: median time, None where none was taken.
        sure_wrong: wrong answers of those who were sure, and how many were sure.
        stuck: learners who missed it on four days or more.
        by_variant: answers and right ones of each variant that was asked, by its id.
        variants: the hardest and the easiest variant; None where there are not two with ten answers.
    """

    item: Item
    answers: int
    right: int
    older: int
    facility: Interval | None
    correlation: float | None
    options: tuple[OptionCount, ...]
    unexplained: int
    typed: tuple[tuple[str, int], ...]
    seconds: float | None
    sure_wrong: int
    sure: int
    stuck: int
    by_variant: Mapping[str, tuple[int, int]]
    variants: VariantSpread | None
    flags: tuple[Flag, ...]

    @property
    def weight(self) -> float:
        """How much speaks for rewriting it."""
        return sum(WEIGHTS[flag] for flag in self.flags)


@dataclass(frozen=True)
class Analysis:
    """All questions of a bank, in its order."""

    learners: int
    answers: int
    items: tuple[ItemFigures, ...]
    unknown: int  # answers to questions that this bank does not have

    def rewritten(self) -> list[ItemFigures]:
        """Those most worth rewriting, the worst first."""
        flagged = [each for each in self.items if each.weight]
        return sorted(flagged, key=lambda each: (-each.weight, -each.answers))[:MOST_REWRITTEN]


def analyse(bank: Bank, learners: Sequence[Learner]) -> Analysis:
    """Count; answers that were taken back do not count."""
    firsts = [_First(learner, bank) for learner in learners]
    asked: dict[str, list[tuple[Event, float | None]]] = defaultdict(list)
    for first in firsts:
        for item, event in first.answers.items():
            asked[item].append((event, first.elsewhere(item)))
    older = Counter(item for first in firsts for item in first.older)
    stuck = Counter(item for first in firsts for item in first.stuck)
    items = tuple(_figures(item, asked[name], older[name], stuck[name]) for name, item in bank.items.items())
    return Analysis(len(learners), sum(each.answers for each in items), items, sum(first.unknown for first in firsts))


class _First:
    """One learner's first answer to each question."""

    def __init__(self, learner: Learner, bank: Bank) -> None:
        scheduled = answers_of(learner)
        self.unknown = sum(event.item not in bank.items for event in scheduled)
        first: dict[str, Event] = {}
        missed: dict[str, set[str]] = defaultdict(set)
        for event in scheduled:
            first.setdefault(event.item, event)
            if event.outcome == "wrong":
                missed[event.item].add(event.day)
        known = {name: event for name, event in first.items() if name in bank.items}
        self.answers = {name: event for name, event in known.items() if event.version == bank.items[name].version}
        self.older = [name for name in known if name not in self.answers]
        self.stuck = [name for name, days in missed.items() if len(days) >= _STUCK_DAYS]
        self._right = sum(event.outcome == "right" for event in self.answers.values())

    def elsewhere(self, item: str) -> float | None:
        """Share of right answers to the other questions; None where there are too few."""
        others = len(self.answers) - 1
        if others < _LEAST_OTHERS:
            return None
        return (self._right - (self.answers[item].outcome == "right")) / others


def _figures(item: Item, asked: Sequence[tuple[Event, float | None]], older: int, stuck: int) -> ItemFigures:
    events = [event for event, _ in asked]
    right = sum(event.outcome == "right" for event in events)
    pairs = [(float(event.outcome == "right"), share) for event, share in asked if share is not None]
    mistakes = Counter(event.mistake for event in events if event.outcome == "wrong")
    known = list(dict.fromkeys(option.mistake for option in item.wrong))
    options = sorted((OptionCount(slug, mistakes[slug]) for slug in known), key=lambda each: -each.count)
    unexplained = [event for event in events if event.outcome == "wrong" and event.mistake not in known]
    sure = [event for event in events if event.confidence == 3]
    times = [event.ms / 1000 for event in events if event.ms]
    by_variant = _by_variant(events)
    figures = ItemFigures(
        item=item,
        answers=len(events),
        right=right,
        older=older,
        facility=wilson(right, len(events)),
        correlation=correlation(pairs) if len(pairs) >= LEAST_CORRELATION else None,
        options=tuple(options),
        unexplained=len(unexplained),
        typed=tuple(Counter(event.understood or event.raw for event in unexplained).most_common(_MOST_TYPED)),
        seconds=median(times) if times else None,
        sure_wrong=sum(event.outcome == "wrong" for event in sure),
        sure=len(sure),
        stuck=stuck,
        by_variant=by_variant,
        variants=_spread(by_variant.values()),
        flags=(),
    )
    return replace(figures, flags=tuple(_flags(figures, len(pairs))))


def _by_variant(events: Iterable[Event]) -> dict[str, tuple[int, int]]:
    outcomes: dict[str, list[bool]] = defaultdict(list)
    for event in events:
        outcomes[event.variant].append(event.outcome == "right")
    return {variant: (len(outcomes[variant]), sum(outcomes[variant])) for variant in sorted(outcomes)}


def _spread(counts: Iterable[tuple[int, int]]) -> VariantSpread | None:
    """The hardest and the easiest variant, among those with enough answers."""
    shares = sorted((right / answers, answers) for answers, right in counts if answers >= LEAST_FACILITY)
    if len(shares) < 2:
        return None
    (low, one), (high, other) = shares[0], shares[-1]
    share = (low * one + high * other) / (one + other)
    return VariantSpread(low, high, 2 * math.sqrt(share * (1 - share) * (1 / one + 1 / other)))


def _flags(found: ItemFigures, compared: int) -> Iterator[Flag]:
    """What speaks against a question; nothing is said on fewer answers than can bear it."""
    error = 1 / math.sqrt(max(1, compared - 3))  # standard error of a correlation near 0
    if found.correlation is not None and found.correlation < -error and compared >= LEAST_FLAG:
        yield "against"
    spread = found.variants
    if spread and spread.high - spread.low > max(_SPREAD, spread.chance) and found.answers >= LEAST_FLAG:
        yield "variants"
    if found.facility and found.answers >= LEAST_FACILITY and found.facility.high < _HARD:
        yield "hard"
    wrong = found.answers - found.right
    if wrong >= LEAST_FACILITY and found.item.typed and found.unexplained > _UNEXPLAINED * wrong:
        yield "unexplained"
    if found.sure >= _LEAST_SURE and found.sure_wrong > _SURE * found.sure:
        yield "sure"
    if found.stuck:
        yield "stuck"
    if wrong >= LEAST_FLAG and any(option.count == 0 for option in found.options):
        yield "idle"
    if found.facility and found.answers >= LEAST_FLAG and found.facility.low > _EASY:
        yield "easy"
