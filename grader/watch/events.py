"""What happens while somebody works: files are saved, keys are pressed, the terminal changes its size."""

from __future__ import annotations

import select
from collections.abc import Iterator
from dataclasses import dataclass

from grader.watch.changes import Changes
from grader.watch.terminal import Terminal


@dataclass(frozen=True)
class Saved:
    """Files may have changed."""


@dataclass(frozen=True)
class Pressed:
    """A key, by the name that Terminal gives it."""

    key: str


@dataclass(frozen=True)
class Redraw:
    """The screen has another size, or was used by something else."""


Event = Saved | Pressed | Redraw


class Events:
    """Waits for whatever happens next.

    Args:
        terminal: None where nobody sits before one.
    """

    def __init__(self, changes: Changes, terminal: Terminal | None) -> None:
        self._changes = changes
        self._terminal = terminal
        self._poll = select.poll()
        self._poll.register(changes.fileno(), select.POLLIN)
        if terminal is not None:
            self._poll.register(terminal.fileno(), select.POLLIN)
            self._poll.register(terminal.waking, select.POLLIN)

    @property
    def pauses(self) -> int:
        """How often everything stood still, as far as a terminal could tell."""
        return self._terminal.pauses if self._terminal is not None else 0

    def wait(self, most_ms: int | None = None) -> Iterator[Event]:
        """What has happened, at least one thing unless `most_ms` passes."""
        for descriptor, _event in self._poll.poll(most_ms):
            if descriptor == self._changes.fileno():
                self._changes.taken()
                yield Saved()
            elif self._terminal is not None and descriptor == self._terminal.waking:
                self._terminal.woken()
                yield Redraw()
            elif self._terminal is not None:
                yield from map(Pressed, self._terminal.keys())
