"""What a learner is told before the first question: that time has passed, and what that means."""

from __future__ import annotations

from grader.model import Message
from grader.quiz.agenda import Agenda
from grader.quiz.schedule import recall

AWAY_DAYS = 7  # from which on a learner is welcomed back


def notices(found: Agenda) -> list[Message]:
    """The sentences for one day: a pause, a clock that was set back, a long absence and what waits after it."""
    told = []
    if found.paused:
        told.append(Message("schedule.paused", {"date": found.paused.isoformat()}))
    if found.newest and found.away < -1:
        told.append(Message("schedule.clock_back", {"date": found.newest.isoformat(), "day": found.day.isoformat()}))
    if found.away > AWAY_DAYS and found.due and not found.paused:
        kept = round(sum(recall(standing, found.day) for standing in found.known.values()))
        begun = {"days": found.away, "kept": kept, "begun": len(found.known), "due": len(found.due)}
        told.append(Message("schedule.welcome_back", begun))
    if found.waiting and found.away > AWAY_DAYS:
        told.append(Message("schedule.waiting", {"count": found.waiting, "date": found.caught_up.isoformat()}))
    if found.called and not found.paused:
        told.append(Message("schedule.called", {"count": len(found.called)}))
    return told
