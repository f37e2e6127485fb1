"""The line that says how far a batch is: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn
from rich.table import Column

from grader.cli.screen import Screen
from grader.model import Language, Message
from grader.report.visible import tell
from grader.report.wrap import wrap

PLAIN_EVERY_S = 10.0  # a line of progress where no terminal is
BAR_EVERY_S = 0.1
PACE_EVERY_S = 2.0  # figures that change faster cannot be read
FEWEST = 20  # results without which nothing is said of the pace
WINDOW_S, WINDOW = 60.0, 50  # the pace is that of the last minute, and of so many results at least
FIVES_FROM, HALF_HOURS_FROM = 10, 90  # minutes left, from which on fewer of them are told apart
LAST = 8  # for so few no time is told: each of them may be a slow one
PACE_CELLS = 38  # that are kept for the longest pace where there is room, so that the bar keeps its width
MOST_NARROW = 20  # cells; a terminal that is narrower breaks the lines itself


class Counter:
    """How far a run is, with its pace and the time left for all of it."""

    def __init__(self, console: Screen, language: Language) -> None:
        self._console = console
        self._language = language
        self._left: dict[str, int] = {}  # submissions by exercise
        self._begun: dict[str, bool] = {}  # exercises, and whether something of each is committed
        self._done = 0
        self._times: deque[float] = deque()  # when the run began, then when each of the last was committed
        self._shown = self._paced = 0.0
        self._pace = ""
        self._minutes = 0.0  # that were told last
        self._bar: Progress | None = None
        self._task = TaskID(0)

    @property
    def _total(self) -> int:
        return self._done + sum(self._left.values())

    def planned(self, *, to_do: Mapping[str, int], before: int, pages: int) -> None:
        """The run knows what there is to do.

        Args:
            to_do: how many submissions are graded, exercise by exercise.
            before: how many were done before, and are not graded.
            pages: how many of `to_do` are graded for their pages alone.
        """
        self._left = dict(to_do)
        if before or pages:
            self._print(Message("batch.done_before", {"before": before + pages, "total": self._total - pages}))
        if pages:
            self._print(Message("batch.pages_again", {"pages": pages}))
        self._shown = time.monotonic()
        self._times.append(self._shown)
        if self._total and self._console.is_terminal:
            whole = Column(no_wrap=True, min_width=2 * len(str(self._total)) + 1)
            kept = Column(no_wrap=True, min_width=min(PACE_CELLS, self._console.width // 2))
            pace = TextColumn("{task.fields[pace]}", table_column=kept)
            columns = (BarColumn(None), MofNCompleteColumn(table_column=whole), pace)
            self._bar = Progress(*columns, console=self._console, transient=True, auto_refresh=False, expand=True)
            self._task = self._bar.add_task("", total=self._total, pace="")
            self._bar.start()

    def begin(self, exercise: str) -> None:
        """An exercise begins, while some submissions of those before may still be on their way."""
        self._begun.setdefault(exercise, False)
        if self._bar:
            self._show(time.monotonic())

    def advance(self, exercise: str) -> None:
        """One more of an exercise is committed."""
        self._done += 1
        self._left[exercise] = max(0, self._left[exercise] - 1)
        self._begun[exercise] = True
        now = time.monotonic()
        self._times.append(now)
        while len(self._times) > WINDOW + 1 and now - self._times[1] > WINDOW_S:
            self._times.popleft()
        self.tick()

    def give_up(self, exercise: str) -> None:
        """Nothing more of an exercise is graded, for the course is at fault."""
        self._left[exercise] = 0

    def tick(self) -> None:
        """Show how far it is, where that was not shown just now."""
        now = time.monotonic()
        if now - self._shown >= (BAR_EVERY_S if self._bar else PLAIN_EVERY_S):
            self._show(now)

    def _show(self, now: float) -> None:
        self._shown = now
        told = self._told(now)
        if self._bar is not None:
            self._bar.update(self._task, completed=self._done, total=self._total, pace=told, refresh=True)
        elif told:
            self._print(Message("batch.progress", {"done": self._done, "total": self._total, "pace": told}))

    def _told(self, now: float) -> str:
        """What is prepared, where nothing else goes on; else pace and time left, or how many are waited for."""
        under_way = {exercise: begun for exercise, begun in self._begun.items() if self._left[exercise]}
        if under_way and not any(under_way.values()):
            return self._say("preparing", exercise=next(iter(under_way)))
        left = sum(self._left.values())
        if left <= LAST:
            return self._say("waiting_for_last", left=left) if left else ""
        if len(self._times) <= FEWEST:
            return self._say("pace_not_known")
        if not self._pace or now - self._paced >= PACE_EVERY_S:
            self._paced = now
            a_minute = 60 * (len(self._times) - 1) / max(now - self._times[0], BAR_EVERY_S)
            self._pace = self._say("pace", rate=f"{float(f'{a_minute:.2g}'):g}", left=self._time(left / a_minute))
        return self._pace

    def _time(self, minutes: float) -> str:
        """A time in words; what was told last is told again, unless it is clearly off by now."""
        step = 1 if minutes < FIVES_FROM else 5 if minutes < HALF_HOURS_FROM else 30
        if abs(minutes - self._minutes) >= 0.75 * step:
            self._minutes = step * round(minutes / step)
        if self._minutes < 1:
            return self._say("less_than_a_minute")
        if self._minutes < HALF_HOURS_FROM:
            return self._say("minutes_left", minutes=f"{self._minutes:g}")
        return self._say("hours_left", hours=f"{self._minutes / 60:g}")

    def _say(self, key: str, **fields: str | int) -> str:
        return tell(Message(f"batch.{key}", fields), self._language)

    def _print(self, message: Message) -> None:
        told = tell(message, self._language)
        lines = wrap(told, max(MOST_NARROW, self._console.width - 1)) if self._console.is_terminal else [told]
        for each in lines:
            self._console.print(each, markup=False, soft_wrap=True)

    def stop(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None
