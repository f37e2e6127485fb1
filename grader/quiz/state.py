"""What the log says of the items of a bank, whatever day it is: how well each is known, exams, pauses, calls of code.

Small enough to be kept beside the log: with it, an agenda of any day needs neither the log nor the bank.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from grader.quiz.events import Event, in_force
from grader.quiz.schedule import Records, Standing, standings

CALLED = 4  # questions that a mistake in code calls


@dataclass(frozen=True)
class Outline:
    """An item as far as it matters for its date."""

    id: str
    family: str
    topic: str
    exercise: str
    mistakes: tuple[str, ...]


def outlines(bank: Records) -> tuple[Outline, ...]:
    """Every item of a bank, in the order of the lessons."""
    return tuple(map(_outline, bank.records))


def _outline(record: Mapping[str, Any]) -> Outline:
    mistakes = dict.fromkeys(option["mistake"] for option in record.get("wrong", ()) if option.get("mistake"))
    return Outline(record["id"], record["family"], record["topic"], record.get("exercise", ""), tuple(mistakes))


@dataclass(frozen=True)
class Exam:
    """An exam: the day that it is on; of a topic, or of all ("")."""

    topic: str
    day: date


@dataclass(frozen=True)
class Pause:
    """A pause: from its first day to the day on which it ended, None while it goes on."""

    first: date
    end: date | None


@dataclass(frozen=True)
class State:
    """What the log says, whatever day it is.

    Attributes:
        known: items that were asked.
        called: items that a mistake in code calls -> the day on which it was seen.
        newest: learning day of the newest answer.
    """

    known: Mapping[str, Standing]
    exams: tuple[Exam, ...] = ()
    pauses: tuple[Pause, ...] = ()
    called: Mapping[str, date] | None = None
    newest: date | None = None


def state_of(events: Sequence[Event], bank: Records) -> State:
    """What the log says of the items of a bank."""
    known = standings(events, bank)
    noted = in_force(events, frozenset({"plan", "pause", "resume", "code"}))
    exams = {event.item: event.raw for event in noted if event.mode == "plan"}
    return State(
        known,
        tuple(Exam(topic, date.fromisoformat(day)) for topic, day in sorted(exams.items()) if day),
        _pauses(event for event in noted if event.mode in {"pause", "resume"}),
        _called([event for event in noted if event.mode == "code"], known, outlines(bank)),
        max((date.fromisoformat(event.day) for event in in_force(events)), default=None),
    )


def _pauses(noted: Iterable[Event]) -> tuple[Pause, ...]:
    pauses: list[Pause] = []
    for event in noted:
        day, goes_on = date.fromisoformat(event.day), bool(pauses) and pauses[-1].end is None
        if event.mode == "pause" and not goes_on:
            pauses.append(Pause(day, None))
        elif event.mode == "resume" and goes_on:
            pauses[-1] = Pause(pauses[-1].first, max(day, pauses[-1].first))
    return tuple(pauses)


def _called(noted: Iterable[Event], known: Mapping[str, Standing], bank: Sequence[Outline]) -> dict[str, date]:
    called: dict[str, date] = {}
    for event in noted:
        about = [item for item in bank if event.mistake in item.mistakes]
        about.sort(key=lambda item: item.exercise != event.item)  # those of the exercise first
        for item in about[:CALLED]:
            if item.id not in known or known[item.id].answered < event.answered:
                called[item.id] = date.fromisoformat(event.day)
    return called
