"""What becomes of a miss: how often its question still comes back that day, and whether a part of it was right."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from grader.model import Message
from grader.quiz.events import Event
from grader.quiz.lock import reason_fits

if TYPE_CHECKING:
    from grader.quiz.session import Turn

RETURNS = 3  # of a question on the day of its miss; after so many, sleep does more than one more try
_ASKED = frozenset({"scheduled", "retry", "ahead"})


def returns_left(events: Iterable[Event], item: str, day: str) -> int:
    """How often a missed question may still come back on a learning day, by the answers in force."""
    asked = sum(event.item == item and event.day == day and event.mode in _ASKED for event in events)
    return max(0, RETURNS + 1 - asked)


def returns_told(left: int) -> Message:
    """When a missed question comes back."""
    if left > 1:
        return Message("quiz.until_right", {"left": left})
    return Message("quiz.once_more" if left else "quiz.enough")


def partly_right(turn: Turn, event: Event) -> bool:
    """Whether a part of a wrong answer was right, so that nobody is told that it was all wrong."""
    item = turn.item
    if event.outcome == "right":
        return False
    if item.kind == "multi":
        return not event.mistake and bool(event.raw)
    if item.kind == "predict":
        return reason_fits(item, turn.variant, event.raw)
    if item.kind == "recall":
        return not event.understood.startswith("0/")
    if item.kind == "match":
        places = [int(each) - 1 for each in re.findall(r"\d+", event.understood)]
        return any(turn.options[place] == left for left, place in enumerate(places) if place < len(turn.options))
    return False
