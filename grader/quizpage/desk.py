"""What the page knows of its learner: all of it from the log, read anew for each request, but for what was skipped.

    request --> Desk: log, session --> the question in front, or the answer that a form brings --kept--> its entry

So two tabs, a second server, the terminal, a server that was stopped: all see the same. A form names the question and
how often it had been asked; once that number has moved on, the form was answered already and counts no more.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import date

from grader.model import Message
from grader.quiz.agenda import Agenda
from grader.quiz.events import Event, Mode, blank_event, in_force
from grader.quiz.lock import Item
from grader.quiz.log import Log
from grader.quiz.notices import notices
from grader.quiz.returns import returns_left
from grader.quiz.schedule import learning_day
from grader.quiz.session import Session, Turn, arranged, turn_counts
from grader.quiz.undo import take_back
from grader.quizpage.sitting import Sitting

ANSWERS = frozenset({"scheduled", "retry", "ahead"})  # all but picks from the options, which belong to one of these
CARDS = 2  # of help, at most, in one sitting
MOST_MS = 10 * 60 * 1000  # somebody who went for tea is no slow learner


@dataclass(frozen=True)
class Shown:
    """What a form says of the question that it belongs to.

    Attributes:
        count: how often the item had been asked before.
        day: learning day on which it was shown, which the order of its options hangs on.
        at: the moment, in milliseconds since 1970.
    """

    item: str
    variant: str
    count: int
    day: date
    at: int


class OutdatedError(Exception):
    """A form whose question is not open any more; `entry` is the answer that it already has, "" where it has none."""

    def __init__(self, entry: str = "") -> None:
        super().__init__(entry)
        self.entry = entry


@dataclass(frozen=True)
class Entry:
    """One answer of the log, as its page shows it.

    Attributes:
        option: number of the wrong option that it equals.
        message: what else can be said of a wrong answer.
        practice: the pick from the options after it.
        due: when the item comes again. returns: how often it may still come back on the day of the answer.
    """

    event: Event
    turn: Turn
    option: int | None
    message: Message | None
    practice: Event | None
    due: date | None
    returns: int = 0


class Desk:
    """One request of a sitting."""

    def __init__(self, sitting: Sitting, log: Log) -> None:
        self._sitting = sitting
        self._log = log
        if sitting.day != learning_day(sitting.clock(), sitting.zone):
            sitting.begin(log)
        self._bank = sitting.bank
        mark, events = log.mark(), log.events()
        state = sitting.state(mark, events)
        self._events = in_force(events)
        self._helped = [event.item for event in in_force(events, frozenset({"help"})) if event.id > sitting.since]
        self._counts = turn_counts(self._events)
        since = {each.item for each in self._answers() if each.mode == "scheduled" and each.id > sitting.since}
        before = {each.item for each in self._answers() if each.id <= sitting.since}
        self.session = Session(
            self._bank,
            log,
            sitting.clock,
            sitting.zone,
            topic=sitting.topic,
            limit=max(0, sitting.most - len(since)),
            new=None if sitting.new is None else max(0, sitting.new - len(since - before)),
            state=state,
        )
        self.more = self.session.due + self.session.fresh  # beyond this sitting too
        self._agenda = Agenda(state, sitting.outlines, self.session.day)
        self._queue = self._waiting()

    def _answers(self, item: str | None = None) -> list[Event]:
        """Answers that were not taken back, in their order."""
        return [event for event in self._events if event.mode in ANSWERS and item in {None, event.item}]

    def _waiting(self) -> list[str]:
        """Items that are still to be asked: the queue of the session, then what was wrong today (see `returns`)."""
        waiting = []
        while turn := self.session.next():
            waiting.append(turn.item.id)
            self.session.skip()
        today = self.session.day.isoformat()
        last = {event.item: event for event in self._answers() if event.day == today}
        wrong = sorted((event.id, item) for item, event in last.items() if event.outcome != "right")
        wrong = [(name, item) for name, item in wrong if returns_left(self._events, item, today)]
        waiting += [item for _, item in wrong if self._is_asked(item, last[item].version)]
        again = self._sitting.again
        if again in waiting:
            waiting.remove(again)
            waiting.insert(0, again)
        return [item for item in waiting if item not in self._sitting.skipped]

    def _is_asked(self, name: str, version: int) -> bool:
        item = self._bank.items.get(name)
        return item is not None and item.version == version and self._sitting.topic in {None, item.topic}

    # --- questions ---

    @property
    def left(self) -> int:
        """How many questions are still to be asked, as many as really will be."""
        return len(self._queue)

    def front(self) -> tuple[Turn, Shown] | None:
        """The question that comes now, None at the end."""
        if not self._queue:
            return None
        item = self._bank.items[self._queue[0]]
        count = self._counts.get(item.id, 0)
        turn = self._turn(item, count, self.session.day)
        return turn, Shown(item.id, turn.variant.id, count, self.session.day, self._now())

    def turn(self, shown: Shown) -> Turn:
        """The question of a form, as it was shown.

        Raises:
            OutdatedError: it was answered meanwhile, or is another one now.
        """
        item = self._bank.items.get(shown.item)
        if item is None or (item.kind in {"order", "match"} and shown.day != self.session.day):
            raise OutdatedError  # places on the screen, which stand in the order of another day
        answers = self._answers(item.id)
        if len(answers) != shown.count:
            raise OutdatedError(answers[shown.count].id if 0 <= shown.count < len(answers) else "")
        turn = self._turn(item, shown.count, shown.day)
        if turn.variant.id != shown.variant:
            raise OutdatedError
        return turn

    def _turn(self, item: Item, count: int, day: date) -> Turn:
        today = self.session.day.isoformat()
        asked = any(event.mode == "scheduled" and event.day == today for event in self._answers(item.id))
        variant = item.variant(count)
        mode: Mode = "retry" if asked else "scheduled"
        return Turn(item, variant, mode, arranged(item, variant, count, day))

    def _now(self) -> int:
        return int(self._sitting.clock().timestamp() * 1000)

    def took(self, shown: Shown) -> int:
        """Milliseconds from the question to now; none where the clock was set back."""
        return min(MOST_MS, max(0, self._now() - shown.at))

    # --- what comes before a question ---

    def notices(self) -> list[Message]:
        """What is told before the first answer of a sitting; that nothing is asked now, as long as that is so."""
        return notices(self._agenda) if self._agenda.paused or not any(self.score()) else []

    def help(self) -> Turn | None:
        """A question that was missed so often that its answer is shown before it is asked again, None for none."""
        held = [item for item in self._agenda.held if self._sitting.topic in {None, self._bank.items[item].topic}]
        if not held or len(self._helped) >= CARDS:
            return None
        item = self._bank.items[held[0]]
        return self._turn(item, self._counts.get(item.id, 0), self.session.day)

    def helped(self, name: str) -> None:
        """Write down that the help for this item was read; once, however often that is said."""
        turn = self.help()
        if turn is not None and turn.item.id == name:
            moment = self._sitting.clock()
            event = blank_event("help", moment, self._sitting.zone, self.session.day)
            self._log.append(replace(event, id=self._log.new_id(moment), item=name))

    # --- answers ---

    def skip(self, shown: Shown) -> None:
        """Leave the question for another day; nothing is kept."""
        self._sitting.skipped.add(shown.item)

    def kept(self, shown: Shown, message: Message | None = None) -> str:
        """The entry of an answer that the session has just kept.

        Args:
            message: what the checker said of it.

        Raises:
            OutdatedError: another server was faster with the same question; this answer is taken back.
        """
        kept = self.session.kept
        if kept is None:
            raise OutdatedError
        events = in_force(self._log.events())
        answers = [event for event in events if event.mode in ANSWERS and event.item == kept.item]
        first = next((event.id for event in answers[shown.count :]), kept.id)
        if first != kept.id:
            take_back(self._log, [kept], self._sitting.clock())
            raise OutdatedError(first)
        self._sitting.again = ""
        self._sitting.said[kept.id] = message
        return kept.id

    def entry(self, name: str) -> Entry | None:
        """An answer of the log; None where there is none, it was taken back, or its question is no longer there."""
        place = next((i for i, event in enumerate(self._events) if event.id == name), None)
        event = self._events[place] if place is not None else None
        item = self._bank.items.get(event.item) if event else None
        if event is None or item is None or event.mode not in ANSWERS:
            return None
        variant = next((each for each in item.variants if each.id == event.variant), None)
        if variant is None or item.version != event.version:
            return None
        count = self._answers(item.id).index(event)
        turn = Turn(item, variant, event.mode, arranged(item, variant, count, date.fromisoformat(event.day)))
        option = next((i for i, each in enumerate(item.wrong) if each.mistake == event.mistake), None)
        if event.outcome != "right" and option is None and item.typed and name not in self._sitting.said:
            self._sitting.said[name] = self.session.mark(turn, event.raw).message
        return Entry(
            event,
            turn,
            option if event.outcome != "right" else None,
            self._sitting.said.get(name),
            self._practice(event),
            self._agenda.when(item.id),
            returns_left([each for each in self._events if each.id <= event.id], item.id, event.day),
        )

    def _practice(self, event: Event) -> Event | None:
        """The pick from the options that followed an answer."""
        later = [each for each in self._events if each.item == event.item and each.id > event.id]
        return later[0] if later and later[0].mode == "options" else None

    def last(self) -> str:
        """The answer of today that an undo would take back, "" where there is none."""
        answers = self._answers()
        return answers[-1].id if answers and answers[-1].day == self.session.day.isoformat() else ""

    def undo(self, name: str) -> bool:
        """Take an answer back if it still is the last one: a second click takes back no second answer."""
        if not name or name != self.last():
            return False
        item = self.session.undo() or ""
        self._sitting.again = item
        self._sitting.skipped.discard(item)
        return True

    def score(self) -> tuple[int, int]:
        """Answers of this sitting: right, wrong."""
        outcomes = [event.outcome == "right" for event in self._answers() if event.id > self._sitting.since]
        return sum(outcomes), len(outcomes) - sum(outcomes)

    def go_on(self) -> None:
        """Begin another sitting."""
        self._sitting.begin(self._log)


@contextmanager
def desk_of(sitting: Sitting) -> Iterator[Desk]:
    """The log and a session over it, for one request at a time.

    Raises:
        UsageError: the log cannot be read or written.
    """
    with sitting.lock, closing(Log(sitting.path)) as log:
        yield Desk(sitting, log)
