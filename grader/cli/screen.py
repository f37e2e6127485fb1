"""What a person looks at: the console, and a progress bar on a terminal once a second has passed."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import TYPE_CHECKING, NoReturn, Self

from rich.console import Console

if TYPE_CHECKING:
    from rich.progress import Progress

PATIENCE_S = 1.0


class Screen(Console):
    """A console that leaves a closed pipe to the caller; rich would end the program with exit code 1."""

    def on_broken_pipe(self) -> NoReturn:
        """Called by rich while it handles a BrokenPipeError."""
        raise BrokenPipeError


class DelayedBar:
    """Counts up to `total`; shows itself after `PATIENCE_S` and leaves nothing behind.

    Args:
        title: what stands before the bar.
        patience_s: seconds without a bar.
    """

    def __init__(self, total: int, title: str, console: Console, *, patience_s: float = PATIENCE_S) -> None:
        self._total = total
        self._title = title
        self._console = console
        self._done = 0
        self._bar: Progress | None = None
        self._timer = threading.Timer(patience_s, self._show)
        self._timer.daemon = True

    def _show(self) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        bar = Progress(*columns, console=self._console, transient=True)
        bar.add_task(self._title, total=self._total, completed=self._done)
        bar.start()
        self._bar = bar

    def advance(self) -> None:
        """One more is done."""
        self._done += 1
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=self._done)

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._timer.start()
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self._timer.cancel()
        if self._timer.is_alive():
            self._timer.join()  # it may be showing the bar right now
        if self._bar is not None:
            self._bar.stop()
