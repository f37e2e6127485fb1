"""The terminal while it is ours: single keys, a screen of its own, and everything given back at every end.

enter   keys one by one, unechoed; the other screen; no cursor        Ctrl-Z, a borrowed terminal, an exception, each
leave   as it was                                                     signal of ENDS: `leave` comes first
"""

from __future__ import annotations

import contextlib
import os
import signal
import termios
import tty
from collections.abc import Iterator, Sequence
from types import FrameType
from typing import NoReturn, Self

from grader.watch.keyboard import END, Keyboard

# other screen, no cursor, too long a line is cut, what is pasted is marked as such
_ENTER = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?2004h\x1b[2J"
_LEAVE = "\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[?1049l"
FRAME, FRAME_END = "\x1b[?2026h", "\x1b[?2026l"  # what lies between is shown at once, where a terminal knows how
ENDS = (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP)  # Ctrl-C, Ctrl-\, and from outside


class Terminal:
    """Standard input and output of a person; use as a context manager, in the main thread.

    Attributes:
        pauses: how often everything stood still, as by Ctrl-Z, and went on.
        ended: whether a signal has asked for the end.
    """

    def __init__(self, keyboard: int = 0, screen: int = 1) -> None:
        self._keyboard = keyboard
        self._screen = screen
        self._shown: tuple[str, ...] | None = None
        self._ours = False
        self._typed = Keyboard()
        self._waking, self._wake = os.pipe()
        self.pauses = 0
        self.ended = False

    def __enter__(self) -> Self:
        self._before = termios.tcgetattr(self._keyboard)
        for end in (self._waking, self._wake):
            os.set_blocking(end, False)
        self._handlers = {
            signal.SIGWINCH: signal.signal(signal.SIGWINCH, lambda *_: None),  # the descriptor says it
            signal.SIGTSTP: signal.signal(signal.SIGTSTP, self._suspend),
            signal.SIGCONT: signal.signal(signal.SIGCONT, self._goes_on),
            **{number: signal.signal(number, self._interrupt) for number in ENDS},
        }
        self._earlier = signal.set_wakeup_fd(self._wake, warn_on_full_buffer=False)
        try:
            self._enter()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_exception: object) -> None:
        with contextlib.suppress(OSError, termios.error):  # the terminal may have gone
            self._leave()
        signal.set_wakeup_fd(self._earlier)
        for number, handler in self._handlers.items():
            if not self.ended or number not in ENDS:  # the rest of the end is not to be stopped, either
                signal.signal(number, handler)
        os.close(self._waking)
        os.close(self._wake)

    @contextlib.contextmanager
    def lent(self) -> Iterator[None]:
        """Give the terminal back for a while, to something that prints and reads lines, and that Ctrl-C ends.

        Raises:
            KeyboardInterrupt: meanwhile a signal has asked for the end of everything.
        """
        self._leave()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            yield
        finally:
            if self.ended:
                raise KeyboardInterrupt
            signal.signal(signal.SIGINT, self._interrupt)
            self._enter()

    # --- what comes in -----------------------------------------------------------------------------------------

    def fileno(self) -> int:
        """Readable where keys wait."""
        return self._keyboard

    @property
    def waking(self) -> int:
        """Readable where the size may have changed, or the screen must be drawn anew."""
        return self._waking

    def woken(self) -> None:
        """Take note of it: the next `draw` draws everything.

        Raises:
            KeyboardInterrupt: a signal has asked for the end, and that was lost in what could not be stopped.
        """
        if self.ended:
            raise KeyboardInterrupt
        with contextlib.suppress(BlockingIOError):
            os.read(self._waking, 4096)
        self._shown = None

    def keys(self) -> list[str]:
        """The keys that were pressed, named as by Keyboard."""
        try:
            typed = os.read(self._keyboard, 1024)
        except OSError:  # the terminal has gone
            typed = b""
        return self._typed.keys(typed) if typed else [END]

    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        try:
            columns, rows = os.get_terminal_size(self._screen)
        except OSError:  # the terminal has gone
            columns = rows = 0
        return columns or 80, rows or 24  # a terminal that says 0 does not know

    # --- what goes out -----------------------------------------------------------------------------------------

    def draw(self, lines: Sequence[str]) -> None:
        """Show these lines, as many as there are rows, each in place of what was there."""
        if not self._ours or self._shown == tuple(lines):
            return
        self._shown = tuple(lines)
        # erased before and not after: behind a line that fills its row, the cursor still stands on its last character
        shown = "\r\n".join(f"\x1b[2K{line}\x1b[0m" for line in lines)
        with contextlib.suppress(OSError):  # a terminal that has gone; the next `keys` says so
            self._write(f"{FRAME}\x1b[H{shown}{FRAME_END}")

    def _write(self, text: str) -> None:
        left = text.encode("utf-8", "replace")
        while left:
            left = left[os.write(self._screen, left) :]

    # --- ours, and as it was -----------------------------------------------------------------------------------

    def _enter(self) -> None:
        self._ours = True
        tty.setcbreak(self._keyboard, termios.TCSADRAIN)
        self._shown = None
        self._write(_ENTER)

    def _leave(self) -> None:
        if not self._ours:
            return
        self._ours = False
        termios.tcsetattr(self._keyboard, termios.TCSADRAIN, self._before)
        self._write(_LEAVE)

    def _suspend(self, _number: int, _frame: FrameType | None) -> None:
        """Ctrl-Z: the shell finds its terminal as it was; `fg` goes on."""
        ours = self._ours
        self._leave()
        os.kill(os.getpid(), signal.SIGSTOP)
        if ours:
            self._enter()

    def _goes_on(self, _number: int, _frame: FrameType | None) -> None:
        self.pauses += 1

    def _interrupt(self, _number: int, _frame: FrameType | None) -> NoReturn:
        """An end from outside is one by Ctrl-C; whatever asks for it once more must not stop the cleaning up."""
        self.ended = True
        for number in ENDS:
            signal.signal(number, lambda *_: None)  # SIG_IGN would be complained of where one more is on its way
        raise KeyboardInterrupt
