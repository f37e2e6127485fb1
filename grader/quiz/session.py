"""One session: what is asked in which order, what becomes of each answer, and what is written before anything is said.

queue: due, then new --turn--> typed --right--> done for today
                                 |--wrong--> options --> at the end of the queue again, until it is right once
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, tzinfo
from statistics import median

from grader.model import Language
from grader.quiz.answers import Marked, Outcome, mark, show_value
from grader.quiz.lock import Bank, Item, Variant, filled
from grader.quiz.log import Event, Log, Mode, in_force
from grader.quiz.schedule import due_items, learning_day, new_items, standings

MINUTES = 7
_USUAL_S = 40.0  # for one item, until the learner's own times are known
_ENOUGH = 8  # answers, from which own times count
_LEAST = 3  # items of a session, however short


@dataclass(frozen=True)
class Turn:
    """One question on the screen."""

    item: Item
    variant: Variant
    mode: Mode
    options: tuple[int, ...]  # order of the options: 0.. are the right ones, then the wrong ones

    def texts(self, language: Language) -> list[str]:
        """The options as they are shown."""
        return [_option_text(self.item, self.variant, i, language) for i in self.options]


def _option_text(item: Item, variant: Variant, place: int, language: Language) -> str:
    right = 1 if item.typed else len(item.right)
    if item.typed:
        value = variant.wrong[place - 1] if place else variant.answer
        return show_value(item.kind, value).split("|")[0]
    text = item.right[place] if place < right else item.wrong[place - right].text
    return filled(text, variant, language) if text else ""


def shuffled(options: int, item: str, count: int, day: date) -> tuple[int, ...]:
    """The order in which options are shown, from a stream of its own for each item and each time it is asked."""
    order = list(range(options))
    seed = hashlib.sha256(f"{item}\n{count}\n{day}".encode()).digest()
    random.Random(int.from_bytes(seed)).shuffle(order)  # noqa: S311 - no secret
    return tuple(order)


@dataclass(frozen=True)
class Result:
    """What is known once an answer is kept."""

    right: bool
    option: int | None  # number of the wrong option that it equals
    due: date | None  # when the item comes again, None where this answer does not move it


class Session:
    """A queue over a log.

    Args:
        clock: the moment; called for every answer.
        topic: only items of this topic.
        limit: at most so many items, None for what fits into `minutes`.
        new: at most so many new items.
    """

    def __init__(
        self,
        bank: Bank,
        log: Log,
        clock: Callable[[], datetime],
        zone: tzinfo,
        *,
        topic: str | None = None,
        limit: int | None = None,
        minutes: float = MINUTES,
        new: int | None = None,
    ) -> None:
        self._bank = bank
        self._log = log
        self._clock = clock
        self._zone = zone
        self.day = learning_day(clock(), zone)
        events = log.events()
        known = standings(events, bank)
        topics = {record["id"]: record["topic"] for record in bank.records}
        due = [item for item in due_items(bank, known, self.day) if topic in {None, topics[item]}]
        fresh = new_items(bank, known, self.day, due, topic)
        most = limit if limit is not None else _fitting(events, minutes)
        chosen = [*due, *(fresh if new is None else fresh[:new])][:most]
        self._queue: list[tuple[str, Mode]] = [(item, "scheduled") for item in chosen]
        self.due, self.fresh = len(due), len(fresh)
        self._turns = _turn_counts(events)

    @property
    def left(self) -> int:
        """How many questions are still to be asked."""
        return len(self._queue)

    def next(self) -> Turn | None:
        """The question that comes now, None at the end; it stays at the front until it is answered or skipped."""
        if not self._queue:
            return None
        name, mode = self._queue[0]
        item = self._bank.items[name]
        count = self._turns.get(name, 0)
        options = len(item.wrong) + (1 if item.typed else len(item.right))
        return Turn(item, item.variant(count), mode, shuffled(options, name, count, self.day))

    # --- answers ---

    def mark(self, turn: Turn, text: str) -> Marked:
        """What the checker says of a typed answer; nothing is kept yet."""
        return mark(turn.item.asked(turn.variant), text)

    def answered(
        self, turn: Turn, raw: str, marked: Marked, *, confidence: int, hint: bool, milliseconds: int
    ) -> Result:
        """Keep a typed answer; it is on disk when this returns."""
        right = marked.outcome is Outcome.RIGHT
        mistake = turn.item.wrong[marked.option].mistake if marked.option is not None else ""
        event = self._event(turn, turn.mode, raw, marked.understood, right=right, mistake=mistake)
        self._log.append(replace(event, confidence=confidence, hint=int(hint), ms=milliseconds))
        return self._moved_on(turn, right=right, option=marked.option)

    def picked(
        self, turn: Turn, picks: Sequence[int], *, confidence: int = 0, hint: bool = False, milliseconds: int = 0
    ) -> Result:
        """Keep a pick from the options: the answer itself where options are all there is, else only practice."""
        item = turn.item
        rights = 1 if item.typed else len(item.right)
        places = [turn.options[i] for i in picks]
        right = set(places) == set(range(rights))
        option = next((place - rights for place in places if place >= rights), None)
        mistake = item.wrong[option].mistake if option is not None else ""
        mode: Mode = "options" if item.typed else turn.mode
        shown = " | ".join(_option_text(item, turn.variant, place, "en") for place in places)
        event = self._event(turn, mode, shown, shown, right=right, mistake=mistake)
        self._log.append(replace(event, confidence=confidence, hint=int(hint), ms=milliseconds))
        if item.typed:
            return Result(right, option, None)
        return self._moved_on(turn, right=right, option=option)

    def skip(self) -> None:
        """Leave the question for another day; nothing is kept."""
        self._queue.pop(0)

    def undo(self) -> str | None:
        """Take the last answer back, and ask that question again; its item, None where there is no answer."""
        events = in_force(self._log.events())
        last = next((i for i in range(len(events) - 1, -1, -1) if events[i].mode != "options"), None)
        if last is None:
            return None
        taken = events[last]
        moment = self._clock()
        for event in reversed(events[last:]):
            when = moment.astimezone(UTC).isoformat(timespec="milliseconds")
            ulid = self._log.new_id(moment)
            self._log.append(replace(event, id=ulid, mode="undo", answered=when, undoes=event.id))
        self._queue = [each for each in self._queue if each != (taken.item, "retry")]
        if taken.item in self._bank.items:
            self._queue.insert(0, (taken.item, taken.mode))
        self._turns[taken.item] = max(0, self._turns.get(taken.item, 1) - 1)
        return taken.item

    def _moved_on(self, turn: Turn, *, right: bool, option: int | None) -> Result:
        self._queue.pop(0)
        self._turns[turn.item.id] = self._turns.get(turn.item.id, 0) + 1
        if not right:
            self._queue.append((turn.item.id, "retry"))
        standing = standings(self._log.events(), self._bank).get(turn.item.id)
        return Result(right, option, standing.due if standing else None)

    def _event(self, turn: Turn, mode: Mode, raw: str, understood: str, *, right: bool, mistake: str) -> Event:
        moment = self._clock()
        return Event(
            id=self._log.new_id(moment),
            mode=mode,
            item=turn.item.id,
            version=turn.item.version,
            variant=turn.variant.id,
            bank=self._bank.revision,
            answered=moment.astimezone(UTC).isoformat(timespec="milliseconds"),
            zone=str(self._zone),
            day=learning_day(moment, self._zone).isoformat(),
            raw=raw,
            understood=understood,
            outcome="right" if right else "wrong",
            mistake=mistake,
            confidence=0,
            hint=0,
            ms=0,
            undoes="",
        )


def _fitting(events: Sequence[Event], minutes: float) -> int:
    """How many items fit into that time, by the learner's own median."""
    times = [event.ms / 1000 for event in in_force(list(events)) if event.mode == "scheduled" and event.ms]
    each = median(times) if len(times) >= _ENOUGH else _USUAL_S
    return max(_LEAST, int(minutes * 60 / max(each, 5.0)))


def _turn_counts(events: Sequence[Event]) -> dict[str, int]:
    """How often each item was asked: the number of its next variant."""
    counts: dict[str, int] = {}
    for event in in_force(list(events)):
        if event.mode in {"scheduled", "retry"}:
            counts[event.item] = counts.get(event.item, 0) + 1
    return counts
