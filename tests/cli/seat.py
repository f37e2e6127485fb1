"""Somebody before a terminal: `grade watch` in a pseudo-terminal, its keys pressed, its frames read."""

import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path
from typing import Self

PATIENCE_S = 60  # after which something is broken, not slow
_FRAME = re.compile(r"\x1b\[\?2026h(.*?)\x1b\[\?2026l", re.DOTALL)
_CONTROL = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")
LEFT = "\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[?1049l"  # as it was before: paste, lines wrap, a cursor, the screen


class Seat:
    """A terminal in which the command runs; use as a context manager.

    Attributes:
        said: everything that was written to the terminal.
    """

    def __init__(
        self, arguments: list[str], cwd: Path, environment: dict[str, str], *, columns: int = 80, rows: int = 24
    ) -> None:
        self.said = ""
        self._ours, self._theirs = os.openpty()
        self.resize(columns, rows)
        self.before = termios.tcgetattr(self._theirs)
        kept = {name: value for name, value in environment.items() if name not in ("COLUMNS", "LINES")}
        command = ["setsid", "--ctty", sys.executable, "-m", "grader.cli", "watch", *arguments]
        streams = {"stdin": self._theirs, "stdout": self._theirs, "stderr": self._theirs}
        self.process = subprocess.Popen(command, cwd=cwd, env={"TERM": "xterm-256color", **kept}, **streams)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for end in {self._ours, self._theirs}:
            os.close(end)

    def press(self, keys: str) -> None:
        """Type something."""
        os.write(self._ours, keys.encode())

    def resize(self, columns: int, rows: int) -> None:
        """Give the terminal another size, which tells whoever runs in it."""
        fcntl.ioctl(self._ours, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    @property
    def attributes(self) -> list:
        """How the terminal treats what is typed."""
        return termios.tcgetattr(self._theirs)

    # --- what it shows -----------------------------------------------------------------------------------------

    @property
    def raw_frame(self) -> str:
        """The last whole frame, with its colours; "" before the first."""
        frames = _FRAME.findall(self.said)
        return frames[-1] if frames else ""

    @property
    def frame(self) -> str:
        """The last whole frame as text."""
        return _CONTROL.sub("", self.raw_frame).replace("\r", "")

    def until(self, wanted: str | Callable[[str], bool]) -> str:
        """Read until the frame says this, or is like this; the frame."""
        holds = wanted if callable(wanted) else lambda frame: " ".join(wanted.split()) in " ".join(frame.split())
        deadline = time.monotonic() + PATIENCE_S
        while not holds(self.frame):
            assert time.monotonic() < deadline, f"{wanted} never came; last:\n{self.frame}"
            self._read()
        return self.frame

    def until_said(self, text: str) -> None:
        """Read until something was written, on whatever screen."""
        deadline = time.monotonic() + PATIENCE_S
        while text not in self.said:
            assert time.monotonic() < deadline, f"{text} never came:\n{self.said[-2000:]}"
            self._read()

    def _read(self) -> None:
        if select.select([self._ours], [], [], 0.1)[0]:
            self.said += os.read(self._ours, 65536).decode("utf-8", "replace")
        else:
            assert self.process.poll() is None, f"it ended with {self.process.returncode}; last:\n{self.said[-2000:]}"

    # --- how it ends -------------------------------------------------------------------------------------------

    def end(self) -> int:
        """Wait for the end; the exit code."""
        deadline = time.monotonic() + PATIENCE_S
        while self.process.poll() is None:
            assert time.monotonic() < deadline, f"no end comes; last:\n{self.frame}"
            if select.select([self._ours], [], [], 0.05)[0]:
                self.said += os.read(self._ours, 65536).decode("utf-8", "replace")
        while select.select([self._ours], [], [], 0)[0]:
            self.said += os.read(self._ours, 65536).decode("utf-8", "replace")
        return self.process.returncode

    def stopped(self) -> None:
        """Wait until it has stopped, as by Ctrl-Z."""
        state = Path(f"/proc/{self.process.pid}/stat")
        deadline = time.monotonic() + PATIENCE_S
        while state.read_text().rpartition(")")[2].split()[0] != "T":
            assert time.monotonic() < deadline
            os.sched_yield()

    def go_on(self) -> None:
        """Wake it, as `fg` does."""
        self.process.send_signal(signal.SIGCONT)

    def hang_up(self) -> None:
        """Close the terminal under whoever runs in it."""
        for end in (self._ours, self._theirs):
            os.close(end)
        self._ours = self._theirs = os.open(os.devnull, os.O_RDONLY)

    @property
    def children(self) -> list[int]:
        """Processes that it has started."""
        pid = self.process.pid
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


Sit = Callable[..., Seat]
