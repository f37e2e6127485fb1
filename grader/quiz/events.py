"""The entries of a learner's log: what each holds, which of them count, and what none of them may say."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from datetime import UTC, date, datetime, tzinfo
from typing import Literal, get_args

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's: no letter is taken for a digit

Mode = Literal[
    "scheduled", "retry", "options", "ahead", "undo", "forget", "remark", "help", "plan", "pause", "resume", "code"
]
ANSWERS = frozenset({"scheduled", "retry", "options", "ahead"})


@dataclass(frozen=True)
class Event:
    """One entry.

    Attributes:
        id: a ULID; the order of ids is the order in which things happened.
        mode: an answer: the scheduled one, a retry in the same session, a pick from the options, practice ahead of its
            date; or what else moves the schedule: an undo, an item forgotten, an answer marked anew, help that was
            shown, an exam plan (`item` a topic, `raw` the date, "" for none), a pause and its end, a mistake that
            graded code showed (`item` the exercise).
        answered: ISO 8601 in UTC. zone: where that was, so that the learning day can be told.
        day: the learning day, ISO 8601.
        understood: what the checker read.
        outcome: right, wrong or skipped.
        mistake: slug, "" where none was recognised.
        confidence: 1 guess, 2 fairly, 3 sure; 0 where it was not asked.
        undoes: id of the entry that an undo takes back, or that was marked anew.
    """

    id: str
    mode: Mode
    item: str
    version: int
    variant: str
    bank: str
    answered: str
    zone: str
    day: str
    raw: str
    understood: str
    outcome: str
    mistake: str
    confidence: int
    hint: int
    ms: int
    undoes: str


FIRST_DAY, LAST_DAY = date(1969, 12, 31), date(2199, 12, 31)  # a clock that says anything else is broken
_LAST_MS = int(datetime(2200, 1, 1, tzinfo=UTC).timestamp() * 1000)
_ULID_SIGNS = frozenset(ALPHABET)
_ULID_LENGTH = 26
_OUTCOMES = frozenset({"", "right", "wrong", "skipped"})
_NUMBERS = {"version": 10**6, "confidence": 3, "hint": 1, "ms": 2**53}  # the most that each may be


def readable(event: Event) -> Event:
    """The entry as it is, where a schedule can be computed with it; quick, for each of thousands.

    Raises:
        ValueError: its day is none of our time, or its id or outcome is none.
    """
    if not FIRST_DAY <= date.fromisoformat(event.day) <= LAST_DAY or event.outcome not in _OUTCOMES:
        raise ValueError(event.day)
    if len(event.id) != _ULID_LENGTH:
        raise ValueError(event.id)
    return event


def check(event: Event) -> Event:
    """The entry as it is, where it is one that this program writes.

    Raises:
        ValueError: it names no moment or day of our time, no mode or outcome, or cannot be shown.
    """
    moment, day = datetime.fromisoformat(event.answered), date.fromisoformat(event.day)
    days = [day, moment.date(), *([date.fromisoformat(event.raw)] if event.mode == "plan" and event.raw else [])]
    if moment.tzinfo is None or not all(FIRST_DAY <= each <= LAST_DAY for each in days):
        raise ValueError(event.answered)
    if len(event.id) != _ULID_LENGTH or not _ULID_SIGNS.issuperset(event.id):
        raise ValueError(event.id)
    if moment_of_id(event.id) > _LAST_MS or event.mode not in get_args(Mode) or event.outcome not in _OUTCOMES:
        raise ValueError(event.id)
    if not all(0 <= getattr(event, name) <= most for name, most in _NUMBERS.items()):
        raise ValueError(event.id)
    "".join(value for value in vars(event).values() if isinstance(value, str)).encode()  # half a character is none
    return event


def moment_of_id(ulid: str) -> int:
    """Milliseconds since 1970."""
    moment = 0
    for character in ulid[:10]:
        moment = moment * 32 + ALPHABET.index(character)
    return moment


def blank_event(mode: Mode, moment: datetime, zone: tzinfo, day: date) -> Event:
    """An entry that is no answer, still without id."""
    when = moment.astimezone(UTC).isoformat(timespec="milliseconds")
    named = {"mode": mode, "answered": when, "zone": str(zone), "day": day.isoformat()}
    empty = {each.name: 0 if each.type == "int" else "" for each in fields(Event)}
    return Event(**{**empty, **named})  # type: ignore[arg-type]  # each of its own kind


def in_force(events: Iterable[Event], modes: frozenset[str] = ANSWERS) -> list[Event]:
    """The answers that count: not taken back, their item not forgotten since; with the verdict of their last marking.

    Args:
        modes: which entries count, where it is not only answers that are wanted.
    """
    events = list(events)
    undone = {event.undoes for event in events if event.mode == "undo"}
    standing = [event for event in events if event.id not in undone]
    forgotten = {event.item: event.id for event in standing if event.mode == "forget"}
    marked = {event.undoes: event for event in standing if event.mode == "remark"}
    found = []
    for event in standing:
        if event.mode in modes and event.id > forgotten.get(event.item, ""):
            anew = marked.get(event.id)
            found.append(replace(event, outcome=anew.outcome, mistake=anew.mistake) if anew else event)
    return found
