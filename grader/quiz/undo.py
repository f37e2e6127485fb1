"""Taking answers back: each one by an entry of its own, so that the log keeps both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from grader.quiz.events import Event, in_force
from grader.quiz.log import Log


def last_answer(events: Sequence[Event]) -> list[Event]:
    """The newest answer that counts, and the picks from its options; empty where there is none."""
    answers = in_force(events)
    last = next((i for i in range(len(answers) - 1, -1, -1) if answers[i].mode != "options"), len(answers))
    return answers[last:]


def answers_since(events: Sequence[Event], since: datetime) -> list[Event]:
    """Every answer that counts and was given at that moment or later."""
    return [event for event in in_force(events) if datetime.fromisoformat(event.answered) >= since]


def take_back(log: Log, answers: Sequence[Event], moment: datetime) -> None:
    """Take these answers back, the newest first.

    Raises:
        UsageError: the log cannot be written.
    """
    when = moment.astimezone(UTC).isoformat(timespec="milliseconds")
    for event in reversed(answers):
        log.append(replace(event, id=log.new_id(moment), mode="undo", answered=when, undoes=event.id))
