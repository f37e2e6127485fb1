"""How well each item is remembered, and when it is asked again by that alone: FSRS on learning days, from the log.

    log --in force, first scheduled answer of each day--> rating --fsrs--> stability, difficulty, next day

A learning day begins at 04:00 where the learner is. The scheduler sees its noon, so that 23 hours apart is one day.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

from grader.quiz.events import Event, in_force

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fsrs import Card, Rating, Scheduler

ROLLOVER = timedelta(hours=4)
RETENTION, LONGEST_DAYS = 0.85, 180
MOST_FAILURES = 4  # then an item is not asked again before its help was read
HELP_DAYS = 3  # from the help to the next question
_SPREAD_FROM = 4  # days; shorter intervals are kept as they are
_CONFIDENT_DAYS = 7  # after a confident error an item is seen twice within this time
_GUESS, _SURE = 1, 3
_SLOW, _SLOW_FROM, _SLOW_MS = 2.5, 8, 10_000  # times the own median, of so many answers; nobody is slow in ten seconds
_DECAY = -0.1542  # of forgetting, as the library has it, which takes too long to import for a prompt
_FACTOR = 0.9 ** (1 / _DECAY) - 1


class Records(Protocol):
    """What has the records of a bank."""

    @property
    def records(self) -> Sequence[Mapping[str, Any]]: ...


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
    """What is known of one item.

    Attributes:
        stability: days until the chance to remember it has fallen to 0.9.
        difficulty: 1 to 10.
        last: learning day of the last answer that counts. answered: its moment, ISO 8601 in UTC.
        due: the day on which it comes again; an exam plan or a pause may move it (see agenda).
        asked: scheduled answers. lapses: those that were not right unaided. helped: lapses when help was shown last.
        confident_error: the day of one, until the item was right again.
    """

    stability: float
    difficulty: float
    last: date
    answered: str
    due: date
    asked: int
    lapses: int
    helped: int = 0
    confident_error: date | None = None

    @property
    def held(self) -> bool:
        """Whether it failed so often that help comes before the next question."""
        return self.lapses - self.helped >= MOST_FAILURES


def learning_day(moment: datetime, zone: tzinfo) -> date:
    """The learning day of a moment; by wall clock, so that a night in which clocks change is no special night."""
    return (moment.astimezone(zone).replace(tzinfo=None) - ROLLOVER).date()


def standings(events: Sequence[Event], bank: Records) -> dict[str, Standing]:
    """What is known of each item that was asked in its present version."""
    found: dict[str, Standing] = {}
    records = {record["id"]: record for record in bank.records}
    paces: dict[str, list[int]] = {}
    for event in in_force(events, frozenset({"scheduled", "ahead", "help"})):
        record, old = records.get(event.item), found.get(event.item)
        if record is None or (event.mode != "help" and record["version"] != event.version):
            continue
        day = date.fromisoformat(event.day)
        if event.mode == "help":
            if old:
                found[event.item] = replace(old, helped=old.lapses, due=max(day, old.last) + timedelta(days=HELP_DAYS))
            continue
        if event.mode == "ahead" and (old is None or event.outcome == "right"):
            continue  # practice ahead of its date moves nothing, unless it shows that the date is too late
        slow = _is_slow(event, paces.setdefault(record.get("type", ""), []))
        if old is None or day > old.last:  # one a day; a clock that was set back does not turn time round
            found[event.item] = _after(old, event, day, slow=slow)
    return found


def _is_slow(event: Event, pace: list[int]) -> bool:
    """Whether a right answer took far longer than the learner's own ones of its type did before it."""
    if event.outcome != "right" or not event.ms:
        return False
    usual = pace[len(pace) // 2] if len(pace) >= _SLOW_FROM else event.ms
    insort(pace, event.ms)
    return event.ms > max(_SLOW * usual, _SLOW_MS)


def rating(event: Event, *, slow: bool = False) -> Rating:
    """Again for what was not known unaided, Hard for a lucky guess or a slow answer, Good for the rest."""
    from fsrs import Rating  # noqa: PLC0415

    if event.outcome != "right" or event.hint:
        return Rating.Again
    return Rating.Hard if event.confidence == _GUESS or slow else Rating.Good


def _after(old: Standing | None, event: Event, day: date, *, slow: bool) -> Standing:
    from fsrs import Card, Rating  # noqa: PLC0415

    rated = rating(event, slow=slow)
    noon = datetime.combine(day, time(12), UTC)
    card, _ = _scheduler().review_card(_card(old) if old else Card(card_id=0, due=noon), rated, noon)
    days = _spread(max(1, (card.due.date() - day).days), event.item, day)
    lapsed = rated is Rating.Again
    error = old.confident_error if old else None
    if lapsed:
        error = day if event.outcome == "wrong" and event.confidence == _SURE else error
        days = 1
    elif error is not None:
        days = max(1, min(days, (error + timedelta(days=_CONFIDENT_DAYS) - day).days))
        error = None
    return Standing(
        card.stability or 0.0,
        card.difficulty or 0.0,
        day,
        event.answered,
        day + timedelta(days=days),
        (old.asked if old else 0) + 1,
        (old.lapses if old else 0) + lapsed,
        old.helped if old else 0,
        error,
    )


def _card(old: Standing) -> Card:
    """The library's card, with the day on which the item was really asked."""
    from fsrs import Card, State  # noqa: PLC0415

    return Card(
        card_id=0,
        state=State.Review,
        step=None,
        stability=old.stability,
        difficulty=old.difficulty,
        due=datetime.combine(old.due, time(12), UTC),
        last_review=datetime.combine(old.last, time(12), UTC),
    )


def _spread(days: int, item: str, day: date) -> int:
    """A day earlier or later, the same in every run, so that what was learnt together does not stay together."""
    from hashlib import sha256  # noqa: PLC0415 - loads OpenSSL

    if days < _SPREAD_FROM:
        return days
    shift = sha256(f"{item}\n{day}".encode()).digest()[0] % 3 - 1
    return min(days + shift, LONGEST_DAYS)


def recall(standing: Standing, day: date) -> float:
    """How likely the item is remembered on that day, 0 to 1."""
    days = max(0, (day - standing.last).days)
    return float((1 + _FACTOR * days / standing.stability) ** _DECAY)
