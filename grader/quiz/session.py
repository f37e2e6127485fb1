"""One session: what is asked in which order, what becomes of each answer, and what is written before anything is said.

queue: due, then new --turn--> typed --right--> done for today
                                 |--wrong--> options --> at the end of the queue again, until it is right once,
                                                         at most so often as `returns` says
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, tzinfo
from statistics import median

from grader.model import Language
from grader.quiz.agenda import Agenda
from grader.quiz.answers import mark, show_value
from grader.quiz.asked import Asked, Marked, Outcome
from grader.quiz.events import Event, Mode, in_force
from grader.quiz.lock import Bank, Item, Variant, filled
from grader.quiz.log import Log
from grader.quiz.returns import partly_right, returns_left
from grader.quiz.schedule import learning_day
from grader.quiz.state import State, outlines, state_of
from grader.quiz.undo import last_answer, take_back

MINUTES = 7
_USUAL_S = 40.0  # for one item, until the learner's own times are known
_ENOUGH = 8  # answers, from which own times count
_LEAST = 3  # items of a session, however short


@dataclass(frozen=True)
class Turn:
    """One question on the screen.

    Attributes:
        options: what is shown in which order: of order the steps, of match the right ends, () for recall, else the
            options, the right ones first (0, …), then the wrong ones.
    """

    item: Item
    variant: Variant
    mode: Mode
    options: tuple[int, ...]

    def texts(self, language: Language) -> list[str]:
        """The options, steps or right ends as they are shown."""
        return [_option_text(self.item, self.variant, i, language) for i in self.options]

    def lefts(self, language: Language) -> list[str]:
        """Of match: the left ends, named a, b, c, … in this order."""
        return [filled(text, self.variant, language) for text in self.item.right]

    def asked(self) -> Asked:
        """What a typed answer is compared with, in the order in which things are shown."""
        return self.item.asked(self.variant, self.options if self.item.kind in {"order", "match"} else ())


def _option_text(item: Item, variant: Variant, place: int, language: Language) -> str:
    if item.offered:
        value = variant.wrong[place - 1] if place else variant.answer
        return show_value(item.kind, value, item.tolerance)
    right = item.ends if item.kind == "match" else item.right
    text = right[place] if place < len(right) else item.wrong[place - len(right)].text
    return filled(text, variant, language) if text else ""


def _places(item: Item) -> int:
    """How many things are shown in an order of their own."""
    if item.kind == "recall":
        return 0
    if item.kind in {"order", "match"}:
        return len(item.right)
    return len(item.wrong) + (1 if item.offered else len(item.right))


def shuffled(options: int, item: str, count: int, day: date) -> tuple[int, ...]:
    """The order in which options are shown, from a stream of its own for each item and each time it is asked."""
    order = list(range(options))
    seed = hashlib.sha256(f"{item}\n{count}\n{day}".encode()).digest()
    random.Random(int.from_bytes(seed)).shuffle(order)  # noqa: S311 - no secret
    return tuple(order)


def arranged(item: Item, variant: Variant, count: int, day: date) -> tuple[int, ...]:
    """As `shuffled`, but steps never stand in an order that is right."""
    order = shuffled(_places(item), item.id, count, day)
    return order[::-1] if order in variant.orders else order


@dataclass(frozen=True)
class Result:
    """What is known once an answer is kept."""

    right: bool
    option: int | None  # number of the wrong option that it equals
    due: date | None  # when the item comes again, None where this answer does not move it
    returns: int = 0  # how often it may still come back today
    partly: bool = False  # wrong as a whole, right in a part


class Session:
    """A queue over a log.

    Args:
        clock: the moment; called for every answer.
        topic: only items of this topic.
        limit: at most so many items, None for what fits into `minutes`.
        new: at most so many new items.
        ahead: practice of what is not yet due, soonest first; it makes no date later.
        state: what the log says, where that is known already.
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
        ahead: bool = False,
        state: State | None = None,
    ) -> None:
        self._bank = bank
        self._log = log
        self._clock = clock
        self._zone = zone
        self.day = learning_day(clock(), zone)
        events = log.events()
        agenda = Agenda(state, outlines(bank), self.day) if state else self._agenda(events)
        topics = {record["id"]: record["topic"] for record in bank.records}
        due = [item for item in agenda.due if topic in {None, topics[item]}]
        fresh = agenda.new(due, topic)
        most = limit if limit is not None else _fitting(events, minutes)
        begin = fresh if new is None else fresh[:new]
        reserved = min(len(begin), agenda.must_begin, most)  # else all of an exam would not be seen in time
        chosen = [*due[: most - reserved], *begin][:most]
        self._queue: list[tuple[str, Mode]] = [(item, "scheduled") for item in chosen]
        if ahead:
            later = [item for item in agenda.ahead if topic in {None, topics[item]}]
            self._queue = [(item, "ahead") for item in later[:most]]
        self.due, self.fresh = len(due), len(fresh)
        self._turns = turn_counts(events)
        self.skipped = 0  # questions of this session that wait for another time
        self.kept: Event | None = None  # the answer that was written last

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
        variant = item.variant(count)
        return Turn(item, variant, mode, arranged(item, variant, count, self.day))

    # --- answers ---

    def mark(self, turn: Turn, text: str) -> Marked:
        """What the checker says of a typed answer; nothing is kept yet."""
        return mark(turn.asked(), text)

    def answered(
        self, turn: Turn, raw: str, marked: Marked, *, confidence: int, hint: bool, milliseconds: int
    ) -> Result:
        """Keep a typed answer; it is on disk when this returns."""
        kept = self._event(turn, turn.mode, raw, marked.understood)
        kept = replace(kept, confidence=confidence, hint=int(hint), ms=milliseconds)
        return self._keep(turn, kept, right=marked.outcome is Outcome.RIGHT, option=marked.option)

    def picked(
        self,
        turn: Turn,
        picks: Sequence[int],
        *,
        outcome: str = "",
        confidence: int = 0,
        hint: bool = False,
        milliseconds: int = 0,
    ) -> Result:
        """Keep a pick from the options: the answer itself where options are all there is, else only practice.

        Args:
            picks: places on the screen, counted from 0.
            outcome: of predict, what was said in the first step; both steps have to be right.
        """
        item = turn.item
        rights = 1 if item.offered else len(item.right)
        places = [turn.options[i] for i in picks]
        right = set(places) == set(range(rights)) and (item.kind != "predict" or outcome == turn.variant.key)
        option = next((place - rights for place in places if place >= rights), None)
        if item.kind == "predict" and option is None and not right:
            option = next((i for i, each in enumerate(item.wrong) if each.outcome == outcome), None)
        shown = " | ".join(filter(None, [outcome, *(_option_text(item, turn.variant, p, "en") for p in places)]))
        kept = self._event(turn, "options" if item.offered else turn.mode, shown, shown)
        kept = replace(kept, confidence=confidence, hint=int(hint), ms=milliseconds)
        return self._keep(turn, kept, right=right, option=option)

    def recalled(
        self, turn: Turn, raw: str, ticked: Sequence[int], *, confidence: int, hint: bool, milliseconds: int
    ) -> Result:
        """Keep what was written freely, with the points that the learner says are in it, counted from 0."""
        missing = [i for i in range(len(turn.item.right)) if i not in set(ticked)]
        understood = f"{len(turn.item.right) - len(missing)}/{len(turn.item.right)}"
        kept = self._event(turn, turn.mode, raw, understood)
        kept = replace(kept, confidence=confidence, hint=int(hint), ms=milliseconds)
        return self._keep(turn, kept, right=not missing, option=missing[0] if missing else None)

    def _keep(self, turn: Turn, event: Event, *, right: bool, option: int | None) -> Result:
        mistake = turn.item.wrong[option].mistake if option is not None else ""
        self.kept = kept = self._log.append(replace(event, outcome="right" if right else "wrong", mistake=mistake))
        if event.mode == "options":
            return Result(right, option, None)
        return replace(self._moved_on(kept), right=right, option=option, partly=partly_right(turn, kept))

    def skip(self) -> None:
        """Leave the question for another day; nothing is kept."""
        self._queue.pop(0)
        self.skipped += 1

    def undo(self) -> str | None:
        """Take the last answer back, and ask that question again; its item, None where there is no answer."""
        answers = last_answer(self._log.events())
        if not answers:
            return None
        taken = answers[0]
        take_back(self._log, answers, self._clock())
        self._queue = [each for each in self._queue if each != (taken.item, "retry")]
        if taken.item in self._bank.items:
            self._queue.insert(0, (taken.item, taken.mode))
        self._turns[taken.item] = max(0, self._turns.get(taken.item, 1) - 1)
        return taken.item

    def _moved_on(self, kept: Event) -> Result:
        self._queue = [each for each in self._queue if each[0] != kept.item]  # a page may answer any of them
        self._turns[kept.item] = self._turns.get(kept.item, 0) + 1
        events, right = self._log.events(), kept.outcome == "right"
        left = 0 if right else returns_left(in_force(events), kept.item, kept.day)
        if left:
            self._queue.append((kept.item, "retry"))
        return Result(right, None, self._agenda(events).when(kept.item), left)

    def _agenda(self, events: Sequence[Event]) -> Agenda:
        return Agenda(state_of(events, self._bank), outlines(self._bank), self.day)

    def _event(self, turn: Turn, mode: Mode, raw: str, understood: str) -> Event:
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
            outcome="",
            mistake="",
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


def turn_counts(events: Sequence[Event]) -> dict[str, int]:
    """How often each item was asked: the number of its next variant."""
    counts: dict[str, int] = {}
    for event in in_force(list(events)):
        if event.mode in {"scheduled", "retry", "ahead"}:
            counts[event.item] = counts.get(event.item, 0) + 1
    return counts
