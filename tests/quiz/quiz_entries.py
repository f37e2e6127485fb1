"""Banks of a few names, and entries of a log that were never typed: for rules about days."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from itertools import count

from grader.quiz.agenda import Agenda
from grader.quiz.events import Event, blank_event
from grader.quiz.lock import Bank
from grader.quiz.state import outlines, state_of

NUMBERS = count(1)
DAY = date(2026, 3, 1)


def bank(*items, mistakes=None):
    """A bank of items, each with its family behind a slash; the first letter is the topic.

    Args:
        mistakes: item -> slugs of its wrong options.
    """
    records = []
    for item in items:
        name, _, family = item.partition("/")
        wrong = [{"mistake": slug} for slug in (mistakes or {}).get(name, ())]
        record = {"id": name, "version": 1, "family": family or name, "topic": name[0], "exercise": f"{name[0]}_x"}
        records.append({**record, "type": "number", "wrong": wrong})
    return Bank("r", tuple(records))


def entry(mode, day, **given):
    """One entry of any kind, later than all before it."""
    moment = datetime.combine(day, time(20), UTC)
    plain = {"id": f"{next(NUMBERS):026}", "bank": "r", "zone": "UTC"}
    return Event(**{**vars(blank_event(mode, moment, UTC, day)), **plain, **given})


def answer(item, day, outcome="right", *, mode="scheduled", confidence=2, hint=0, version=1, ms=1000):
    """One answer."""
    given = {"item": item, "outcome": outcome, "confidence": confidence, "hint": hint, "version": version, "ms": ms}
    return entry(mode, day, variant="v", **given)


def agenda(events, of, day):
    """What these entries ask of a bank on a day."""
    return Agenda(state_of(events, of), outlines(of), day)
