"""The line that says how far a batch is: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn

from grader.cli.screen import Screen
from grader.model import Language, Message
from grader.report.visible import tell
from grader.report.wrap import wrap

PLAIN_EVERY_S = 10.0  # a line of progress where no terminal is
BAR_EVERY_S = 0.1
FEWEST_FOR_A_RATE, MOST_FOR_A_RATE = 3, 50  # of the same exercise, the last ones
BAR_CELLS = 14  # what stands beside it takes the rest of 80
MOST_NARROW = 20  # cells; a terminal that is narrower breaks the lines itself


class Counter:
    """How far a run is, with rate and time left."""

    def __init__(self, console: Screen, language: Language) -> None:
        self._console = console
        self._language = language
        self._total = self._done = 0
        self._waiting: dict[str, int] = {}  # exercises that were not begun, and how much there is to do for each
        self._begun = ""  # the exercise that was begun last
        self._left = 0  # of it
        self._shown = 0.0
        self._times: deque[float] = deque(maxlen=MOST_FOR_A_RATE)  # of the last that were committed
        self._bar: Progress | None = None
        self._task = TaskID(0)

    def planned(self, *, to_do: Mapping[str, int], before: int, pages: int) -> None:
        """The run knows what there is to do.

        Args:
            to_do: how many submissions are graded, exercise by exercise.
            before: how many were done before, and are not graded.
            pages: how many of `to_do` are graded for their pages alone.
        """
        self._waiting, self._total = dict(to_do), sum(to_do.values())
        if before or pages:
            self._print(Message("batch.done_before", {"before": before + pages, "total": self._total - pages}))
        if pages:
            self._print(Message("batch.pages_again", {"pages": pages}))
        self._shown = time.monotonic()
        if self._total and self._console.is_terminal:
            columns = (BarColumn(BAR_CELLS), MofNCompleteColumn(), TextColumn("{task.fields[pace]}"))
            self._bar = Progress(*columns, console=self._console, transient=True, auto_refresh=False)
            self._task = self._bar.add_task("", total=self._total, pace="")
            self._bar.start()

    def begin(self, exercise: str) -> None:
        """An exercise begins; how long it takes says nothing of the next one, which may need torch."""
        self._begun, self._left = exercise, self._waiting.pop(exercise, 0)
        self._times.clear()

    def advance(self, exercise: str) -> None:
        """One more is committed: of the exercise that was begun last, or one that was still missing of another."""
        self._done += 1
        if exercise == self._begun:
            self._left -= 1
            self._times.append(time.monotonic())  # the start of the sandboxes, before the first, would frighten
        self.tick()

    def tick(self) -> None:
        """Show how far it is, where that was not shown just now."""
        now = time.monotonic()
        if now - self._shown < (BAR_EVERY_S if self._bar else PLAIN_EVERY_S):
            return
        self._shown = now
        if self._bar is not None:
            self._bar.update(self._task, completed=self._done, pace=self._pace(now), refresh=True)
        else:
            counts = {"done": self._done, "total": self._total}
            self._print(Message("batch.progress", {**counts, "pace": self._pace(now)}))

    def _pace(self, now: float) -> str:
        """The rate, and the time left: for the exercise that was begun last, where others follow."""
        if len(self._times) < FEWEST_FOR_A_RATE:
            return tell(Message("batch.pace_starting"), self._language)
        rate = (len(self._times) - 1) / max(now - self._times[0], BAR_EVERY_S)
        left = round(self._left / rate)
        shown = {"rate": self._rate(rate), "left": f"{left // 60}:{left % 60:02}"}
        fields: dict[str, str | int] = {**shown, "others": len(self._waiting)}
        return tell(Message("batch.pace_of_exercise" if self._waiting else "batch.pace", fields), self._language)

    def _rate(self, a_second: float) -> str:
        """A rate in words: by the minute where it is slower than one a second, and never zero."""
        if a_second < 1:
            return tell(Message("batch.rate_a_minute", {"rate": f"{60 * a_second:.2g}"}), self._language)
        return tell(Message("batch.rate_a_second", {"rate": f"{a_second:.1f}"}), self._language)

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
