"""When each item is asked again: FSRS on learning days, computed from the log.

    log --in force, first scheduled answer of each day--> rating --fsrs--> stability, difficulty, next day

A learning day begins at 04:00 where the learner is. The scheduler sees its noon, so that 23 hours apart is one day.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import cache
from typing import TYPE_CHECKING

from grader.quiz.lock import Bank
from grader.quiz.log import Event, in_force

if TYPE_CHECKING:
    from fsrs import Card, Rating, Scheduler

ROLLOVER = timedelta(hours=4)
RETENTION, LONGEST_DAYS = 0.85, 180
NEW_A_DAY = 6
_SPREAD_FROM = 4  # days; shorter intervals are kept as they are
_CONFIDENT_DAYS = 7  # after a confident error an item is seen twice within this time
_GUESS, _SURE = 1, 3


@cache
def _scheduler() -> Scheduler:
    from fsrs import Scheduler  # noqa: PLC0415 - takes as long as all the rest of `grade quiz due`

    return Scheduler(
        desired_retention=RETENTION,
        learning_steps=(),
        relearning_steps=(),
        maximum_interval=LONGEST_DAYS,
        enable_fuzzing=False,
    )


@dataclass(frozen=True)
class Standing:
    """What is known of one item."""

    card: Card
    last: date
    due: date
    asked: int  # scheduled answers
    lapses: int
    confident_error: date | None = None  # until it was right twice or a week is over


def learning_day(moment: datetime, zone: tzinfo) -> date:
    """The learning day of a moment; by wall clock, so that a night in which clocks change is no special night."""
    return (moment.astimezone(zone).replace(tzinfo=None) - ROLLOVER).date()


def standings(events: Sequence[Event], bank: Bank) -> dict[str, Standing]:
    """What is known of each item that was asked in its present version."""
    found: dict[str, Standing] = {}
    answered: set[tuple[str, date]] = set()
    versions = {record["id"]: record["version"] for record in bank.records}
    for event in in_force(list(events)):
        day = date.fromisoformat(event.day)
        if event.mode != "scheduled" or versions.get(event.item) != event.version:
            continue
        old = found.get(event.item)
        day = max(day, old.last) if old else day  # a clock that was set back does not turn time round
        if (event.item, day) not in answered:
            answered.add((event.item, day))
            found[event.item] = _after(old, event, day)
    return found


def rating(event: Event) -> Rating:
    """Again for what was not known unaided, Hard for a lucky guess, Good for the rest."""
    from fsrs import Rating  # noqa: PLC0415

    if event.outcome != "right" or event.hint:
        return Rating.Again
    return Rating.Hard if event.confidence == _GUESS else Rating.Good


def _after(old: Standing | None, event: Event, day: date) -> Standing:
    from fsrs import Card, Rating  # noqa: PLC0415

    rated = rating(event)
    noon = datetime.combine(day, time(12), UTC)
    card, _ = _scheduler().review_card(old.card if old else Card(card_id=0, due=noon), rated, noon)
    days = _spread(max(1, (card.due.date() - day).days), event.item, day)
    lapsed = rated is Rating.Again
    error = old.confident_error if old else None
    if lapsed:
        error = day if event.outcome == "wrong" and event.confidence == _SURE else None
        days = 1
    elif error is not None:
        days = max(1, min(days, (error + timedelta(days=_CONFIDENT_DAYS) - day).days))
        error = None
    return Standing(
        _moved(card, day, days),
        day,
        day + timedelta(days=days),
        (old.asked if old else 0) + 1,
        (old.lapses if old else 0) + lapsed,
        error,
    )


def _moved(card: Card, day: date, days: int) -> Card:
    """The card with the day on which it is really asked again."""
    from fsrs import Card, State  # noqa: PLC0415

    return Card(
        card_id=card.card_id,
        state=State.Review,
        step=None,
        stability=card.stability,
        difficulty=card.difficulty,
        due=datetime.combine(day + timedelta(days=days), time(12), UTC),
        last_review=card.last_review,
    )


def _spread(days: int, item: str, day: date) -> int:
    """A day earlier or later, the same in every run, so that what was learnt together does not stay together."""
    if days < _SPREAD_FROM:
        return days
    shift = hashlib.sha256(f"{item}\n{day}".encode()).digest()[0] % 3 - 1
    return min(days + shift, LONGEST_DAYS)


def recall(standing: Standing, day: date) -> float:
    """How likely the item is remembered on that day, 0 to 1."""
    noon = datetime.combine(max(day, standing.last), time(12), UTC)
    return float(_scheduler().get_card_retrievability(standing.card, noon))


# --- what is asked -------------------------------------------------------------------------------------------------


def due_items(bank: Bank, known: Mapping[str, Standing], day: date) -> list[str]:
    """What is due, least likely remembered first; of a family one, and none of one that was asked today."""
    records = {record["id"]: record for record in bank.records}
    ready = [item for item in records if item in known and known[item].due <= day]
    ready.sort(key=lambda item: (recall(known[item], day), item))
    taken = {records[item]["family"] for item in known if item in records and known[item].last >= day}
    return _apart([records[item] for item in _one_of_each(ready, records, taken)])


def new_items(
    bank: Bank, known: Mapping[str, Standing], day: date, leave_out: Iterable[str] = (), topic: str | None = None
) -> list[str]:
    """What was never asked, in the order of the lessons, as many as may begin today; perhaps of one topic only."""
    records = {record["id"]: record for record in bank.records}
    begun = sum(1 for standing in known.values() if standing.asked == 1 and standing.last == day)
    taken = {records[item]["family"] for item in known if item in records and known[item].last >= day}
    taken |= {records[item]["family"] for item in leave_out}
    fresh = [item for item in records if item not in known and topic in {None, records[item]["topic"]}]
    return _one_of_each(fresh, records, taken)[: max(0, NEW_A_DAY - begun)]


def _one_of_each(items: Sequence[str], records: Mapping[str, Mapping[str, str]], taken: set[str]) -> list[str]:
    kept = []
    for item in items:
        if records[item]["family"] not in taken:
            taken.add(records[item]["family"])
            kept.append(item)
    return kept


def _apart(records: Sequence[Mapping[str, str]]) -> list[str]:
    """Neighbours differ in topic wherever that can be."""
    left, order = list(records), list[str]()
    last = ""
    while left:
        pick = next((each for each in left if each["topic"] != last), left[0])
        left.remove(pick)
        order.append(pick["id"])
        last = pick["topic"]
    return order
