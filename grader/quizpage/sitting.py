"""One run of the server: what it was asked for, and the little that the log does not hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, tzinfo
from functools import cached_property
from pathlib import Path
from threading import Lock

from grader.model import Message
from grader.quiz.events import Event
from grader.quiz.lock import Bank
from grader.quiz.log import Log
from grader.quiz.schedule import learning_day
from grader.quiz.session import MINUTES, Session
from grader.quiz.state import Outline, State, outlines, state_of


@dataclass
class Sitting:
    """One run of the server: what is to be asked, and the little that the log does not hold.

    Attributes:
        most: items of this sitting; since: the newest entry of the log when it began.
        again: item that is asked next, because its answer was taken back.
        said: what the checker said of a wrong answer, by entry.
        known: what was computed from the log, and the mark that the log had then.
    """

    bank: Bank
    path: Path
    clock: Callable[[], datetime]
    zone: tzinfo
    topic: str | None = None
    minutes: float = MINUTES
    new: int | None = None
    day: date | None = None
    most: int = 0
    since: str = ""
    again: str = ""
    skipped: set[str] = field(default_factory=set)
    said: dict[str, Message | None] = field(default_factory=dict)
    known: tuple[int, State] | None = None
    lock: Lock = field(default_factory=Lock)

    @cached_property
    def outlines(self) -> tuple[Outline, ...]:
        """What dates depend on, of each item of the bank."""
        return outlines(self.bank)

    def begin(self, log: Log) -> None:
        """Ask as much as fits into the time, from here on."""
        events = log.events()
        self.day = learning_day(self.clock(), self.zone)
        self.since = events[-1].id if events else ""
        self.skipped.clear()
        limits = {"topic": self.topic, "minutes": self.minutes, "new": self.new}
        self.most = Session(self.bank, log, self.clock, self.zone, **limits).left  # type: ignore[arg-type]

    def state(self, mark: int, events: Sequence[Event]) -> State:
        """What the log says, computed anew only where something was added to it, by whomever.

        Args:
            mark: of the log, taken before its events were read.
        """
        if self.known is None or self.known[0] != mark:
            self.known = mark, state_of(events, self.bank)
        return self.known[1]
