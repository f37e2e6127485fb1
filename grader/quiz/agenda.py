"""What is asked on a day: dates of the schedule, moved by pauses, exam plans and mistakes in code, then shared out.

    log --state_of--> State --Agenda(day)--> due, waiting, new

A pause moves what was not yet due by its length. An exam plan brings each item of its topic back once in the last days
before the exam. A mistake that graded code shows calls the questions about it. Of a family one is asked on a day.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from functools import cached_property

from grader.quiz.schedule import Standing, recall
from grader.quiz.state import Exam, Outline, State

NEW_A_DAY = 6
MOST_A_DAY = 20  # that are due; the rest of a backlog waits for the next days
EXAM_LONGEST_DAYS = 30  # of an interval while an exam is planned
SWEEP_DAYS = 5  # before an exam, in which everything is seen once more


def _sweeps(bank: Sequence[Outline]) -> dict[str, int]:
    """On which of the last days before an exam each item comes: of a family each on another one."""
    days: dict[str, int] = {}
    following: dict[str, int] = {}  # of each family
    for i, item in enumerate(bank):
        day = following.get(item.family, i % SWEEP_DAYS)
        days[item.id], following[item.family] = day, (day + 1) % SWEEP_DAYS
    return days


class Agenda:
    """What is asked on one day.

    Args:
        bank: the items, in the order of the lessons.
        day: the learning day.
    """

    def __init__(self, state: State, bank: Sequence[Outline], day: date) -> None:
        self._state = state
        self._bank = {item.id: item for item in bank}
        self._ranks = {item.id: i for i, item in enumerate(bank)}
        self._sweeps = _sweeps(bank)
        self.day = day

    @property
    def known(self) -> Mapping[str, Standing]:
        """Items that were asked."""
        return {item: standing for item, standing in self._state.known.items() if item in self._bank}

    @property
    def topics(self) -> list[str]:
        """The topics of the bank, in the order of the lessons."""
        return list(dict.fromkeys(item.topic for item in self._bank.values()))

    @property
    def exams(self) -> tuple[Exam, ...]:
        """The planned exams."""
        return self._state.exams

    @property
    def paused(self) -> date | None:
        """Since when nothing is asked, None where there is no pause."""
        last = self._state.pauses[-1] if self._state.pauses else None
        return last.first if last and last.end is None else None

    @property
    def away(self) -> int:
        """Days since the newest answer; below 0 where that is ahead of the clock."""
        return (self.day - self._state.newest).days if self._state.newest else 0

    @property
    def newest(self) -> date | None:
        """Learning day of the newest answer."""
        return self._state.newest

    # --- dates ---

    def when(self, item: str) -> date | None:
        """The day on which an item comes again; None for one that never was asked, or not again before its exam."""
        called = (self._state.called or {}).get(item)
        standing = self._state.known.get(item)
        if standing is None:
            return called
        due: date | None = standing.due
        for pause in self._state.pauses:
            if pause.end and standing.last <= pause.first <= standing.due:
                due = standing.due + (pause.end - pause.first)
        if exam := self._exam(item):
            due = self._before(exam, item, standing, due or standing.due)
        if called:
            due = min(due or called, max(called, standing.last + timedelta(days=1)))
        return due

    def _exam(self, item: str) -> Exam | None:
        """The next exam about an item, else the last one."""
        topics = {"", self._bank[item].topic if item in self._bank else ""}
        mine = sorted((exam for exam in self._state.exams if exam.topic in topics), key=lambda exam: exam.day)
        return next((exam for exam in mine if exam.day > self.day), mine[-1] if mine else None)

    def _before(self, exam: Exam, item: str, standing: Standing, due: date) -> date | None:
        """The date under a plan: at most a month away, once in the last days, never after."""
        if exam.day <= self.day:
            return None
        first = exam.day - timedelta(days=SWEEP_DAYS)
        due = min(due, standing.last + timedelta(days=EXAM_LONGEST_DAYS))
        if standing.last < first:
            return min(due, first + timedelta(days=self._sweeps.get(item, 0)))
        failed = standing.due == standing.last + timedelta(days=1)
        return due if failed and due < exam.day else None

    # --- what is asked ---

    @cached_property
    def _ready(self) -> list[str]:
        """Everything whose date has come: what is to be seen before an exam, then what is least likely remembered."""
        if self.paused:
            return []
        asked = {*self._state.known, *(self._state.called or {})} & set(self._bank)
        ready = [item for item in asked if (due := self.when(item)) and due <= self.day and not self._held(item)]
        return sorted(ready, key=lambda item: (not self._to_sweep(item), self._recall(item), self._ranks[item]))

    def _to_sweep(self, item: str) -> bool:
        """Whether these are the last days before an exam, and the item was not yet seen in them."""
        exam, standing = self._exam(item), self._state.known.get(item)
        if exam is None or standing is None or exam.day <= self.day:
            return False
        return standing.last < exam.day - timedelta(days=SWEEP_DAYS) <= self.day

    def _recall(self, item: str) -> float:
        standing = self._state.known.get(item)
        return recall(standing, self.day) if standing else 0.0

    def _held(self, item: str) -> bool:
        return item in self._state.known and self._state.known[item].held

    @cached_property
    def due(self) -> list[str]:
        """What is due today; of a family one, and none of one that was asked today; neighbours differ in topic."""
        done = sum(standing.last == self.day and standing.asked > 1 for standing in self.known.values())
        begin = [item for item in self._ready if item not in self._state.known]  # called by a mistake in code
        late = set(begin[self._may_begin :])
        ready = [item for item in self._ready if item not in late]
        return self._apart(self._one_of_each(ready, self._taken())[: max(0, self.share - done)])

    @property
    def called(self) -> list[str]:
        """Of what is due today what would not be, had code not shown a mistake."""
        standing = self._state.known
        calls = self._state.called or {}
        return [item for item in self.due if item in calls and (item not in standing or standing[item].due > self.day)]

    @property
    def share(self) -> int:
        """How many due items a day may have: more than usual only where an exam comes before the backlog is done."""
        left = min(((exam.day - self.day).days for exam in self._coming), default=len(self._ready) or 1)
        return max(MOST_A_DAY, math.ceil(len(self._ready) / left), sum(map(self._to_sweep, self._ready)))

    @property
    def _coming(self) -> list[Exam]:
        """Exams that lie ahead."""
        return [exam for exam in self._state.exams if exam.day > self.day]

    @property
    def waiting(self) -> int:
        """How many more have come to their date and are asked on the next days."""
        return len(self._ready) - len(self.due)

    @property
    def caught_up(self) -> date:
        """The day on which nothing waits any more, if each day's share is answered."""
        return self.day + timedelta(days=math.ceil(self.waiting / self.share))

    @property
    def held(self) -> list[str]:
        """Items that failed so often that help comes first, where their date has come."""
        items = (item for item in self.known if self._held(item))
        return [item for item in items if (due := self.when(item)) and due <= self.day and not self.paused]

    @property
    def ahead(self) -> list[str]:
        """What is not yet due, soonest first; of a family one, and none of one that was asked today."""
        dates = {item: due for item in self.known if (due := self.when(item)) and due > self.day}
        return self._one_of_each(sorted(dates, key=lambda item: (dates[item], self._ranks[item])), self._taken())

    def new(self, leave_out: Iterable[str] = (), topic: str | None = None) -> list[str]:
        """What was never asked, in the order of the lessons, as many as may begin today.

        Args:
            leave_out: items that are asked today anyway; no sibling of theirs begins.
            topic: only items of this topic.
        """
        if self.paused or (len(self._ready) > self.share and not self._coming):
            return []  # first what is due
        leave_out = set(leave_out)
        taken = self._taken() | {self._bank[item].family for item in leave_out}
        most = self._may_begin - len(leave_out - self._state.known.keys())
        exams = {item: self._exam(item) for item in self._bank if item not in self._state.known}
        fresh = [item for item, exam in exams.items() if item not in leave_out and not (exam and exam.day <= self.day)]
        fresh.sort(key=lambda item: exams[item] is None)  # those of an exam before others
        mine = [item for item in fresh if topic in {None, self._bank[item].topic}]
        return self._one_of_each(mine, taken)[: max(0, most)]

    @property
    def _may_begin(self) -> int:
        """How many more items may begin today."""
        return max(0, self.pace - self._begun)

    @property
    def _begun(self) -> int:
        """How many items began today."""
        return sum(standing.asked == 1 and standing.last == self.day for standing in self.known.values())

    @property
    def pace(self) -> int:
        """How many items may begin on a day: more than usual where else not all are seen before the exam."""
        return max(NEW_A_DAY, self._needed)

    @property
    def must_begin(self) -> int:
        """How many items have to begin today, so that all are seen before an exam; 0 without one."""
        return max(0, self._needed - self._begun)

    @property
    def _needed(self) -> int:
        """How many items have to begin on each day before the last ones."""
        days = {exam: max(1, (exam.day - timedelta(days=SWEEP_DAYS) - self.day).days) for exam in self._coming}
        begun = self._begun  # today's are no longer unseen
        return max((math.ceil((self.unseen(exam) + begun) / left) for exam, left in days.items()), default=0)

    def unseen(self, exam: Exam) -> int:
        """How many items of an exam were never asked."""
        mine = [item for item in self._bank.values() if exam.topic in {"", item.topic}]
        return sum(item.id not in self._state.known for item in mine)

    def _taken(self) -> set[str]:
        """Families that were asked today."""
        return {self._bank[item].family for item, standing in self.known.items() if standing.last >= self.day}

    def _one_of_each(self, items: Iterable[str], taken: set[str]) -> list[str]:
        kept = []
        for item in items:
            if self._bank[item].family not in taken:
                taken.add(self._bank[item].family)
                kept.append(item)
        return kept

    def _apart(self, items: Sequence[str]) -> list[str]:
        """Neighbours differ in topic wherever that can be; the first one from what was asked last today, too."""
        asked = [(each.answered, item) for item, each in self.known.items() if each.last >= self.day]
        last = self._bank[max(asked)[1]].topic if asked else ""
        left, order = list(items), list[str]()
        while left:
            pick = next((item for item in left if self._bank[item].topic != last), left[0])
            left.remove(pick)
            order.append(pick)
            last = self._bank[pick].topic
        return order
