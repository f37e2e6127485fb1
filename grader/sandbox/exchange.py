"""One conversation with a worker: requests, their whole replies, and one deadline over all of it.

    reply socket   requests and replies, each one frame
    output pipe    what the submission prints, counted and capped
    trace pipe     where it is, asked for by a signal just before it is killed
    pidfd          whether it lives, and the only way it is killed

Nothing here trusts what comes back, or looks at it: a reply is bytes, which whoever asked has `wire.decode` read.
"""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import chain, repeat
from pathlib import Path
from typing import Literal, NamedTuple

from grader.errors import GraderError
from grader.model import Limits, Printed
from grader.sandbox import lockdown, wire
from grader.sandbox.zygote import TRACE_SIGNAL

START_S = 30.0  # for a process to come up: our time, never the submission's
TRACE_S = 0.1  # for a stopped worker to say where it is
LONG_S = 0.05  # after which a worker that still computes is given every core: on ours it would wait for us, too
HEAD_BYTES, TAIL_BYTES = 8192, 4096  # what is kept of the output
READY = wire.encode("ready")


class Lost(Exception):
    """A worker is gone; never leaves this package.

    Attributes:
        busy: it was computing rather than waiting (for `time_limit`).
        trace: what it wrote on where it was, untrusted.
    """

    def __init__(
        self,
        reason: Literal["time_limit", "output_limit", "ended", "killed"],
        *,
        busy: bool = False,
        code: int = 0,
        signal_name: str = "",
        trace: str = "",
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.busy = busy
        self.code = code
        self.signal = signal_name
        self.trace = trace


@dataclass
class Output:
    """Head and tail of what the workers of one submission printed."""

    head: bytearray = field(default_factory=bytearray)
    tail: bytearray = field(default_factory=bytearray)
    total: int = 0

    def add(self, piece: bytes) -> None:
        self.total += len(piece)
        room = HEAD_BYTES - len(self.head)
        self.head += piece[:room]
        self.tail = (self.tail + piece[room:])[-TAIL_BYTES:] if len(piece) > room else self.tail

    @property
    def printed(self) -> Printed:
        cut = self.total > len(self.head) + len(self.tail)
        pieces = [bytes(part).decode("utf-8", "replace") for part in (self.head, self.tail)]
        return Printed(("\n[…]\n" if cut else "").join(pieces), self.total, cut)


@dataclass(frozen=True)
class End:
    """How a worker ended, as the zygote that reaped it saw it."""

    status: int
    cpu_s: float
    peak_kib: int


class Ends(NamedTuple):
    """What our side holds of a worker."""

    pidfd: int
    reply: socket.socket
    output_pipe: int
    trace_pipe: int


class Worker:
    """One locked-down process and what our side holds of it."""

    def __init__(self, ends: Ends, limits: Limits, output: Output, wait_for_end: Callable[[], End]) -> None:
        self.waited_s = 0.0  # by the last exchange
        self._wait_for_end = wait_for_end
        self._pidfd, self._socket, self._output_pipe, self._trace_pipe = ends
        self._limits = limits
        self._output = output
        self._output_room = limits.output_kib * 1024
        self._closed = False
        self._next = 1  # number of the next request; 0 is what it says of itself
        self._replied = 0  # bytes, in this exchange
        self._let_go = False

    def await_ready(self) -> None:
        """Wait until it is locked down; a failure here is ours, no byte of the submission has reached it."""
        said_of_itself: list[bytes] = []
        try:
            self._converse(b"", range(1), said_of_itself, START_S)
        except (Lost, wire.WireError) as error:
            said = self._output.printed.text.strip()
            self.close()
            raise GraderError(f"a worker could not be locked down ({error}): {said}") from error
        if said_of_itself != [READY]:
            raise GraderError("a worker spoke before it was asked")

    def exchange(self, payloads: Sequence[bytes], kind: int, replies: list[bytes], seconds: float) -> None:
        """Send requests, all at once, and put what is replied to each into `replies`, within `seconds` for all of them.

        Args:
            kind: of all but the first, see wire.py.

        Raises:
            Lost: it ended, or had to be ended; what it replied before is there.
            WireError: what came back are no frames.
        """
        started = time.monotonic()
        self._replied = 0
        numbers = range(self._next, self._next + len(payloads))
        self._next = numbers.stop
        try:
            kinds = chain([wire.ALWAYS], repeat(kind))
            self._converse(b"".join(map(wire.frame, numbers, payloads, kinds)), numbers, replies, seconds)
        finally:
            self.waited_s = time.monotonic() - started

    def _converse(self, message: bytes, numbers: range, replies: list[bytes], seconds: float) -> None:
        started = time.monotonic()
        deadline = started + seconds
        unsent, incoming = self._send(memoryview(message)), bytearray()  # most requests go out at once
        poll = select.poll()
        for descriptor in (self._output_pipe, self._pidfd):
            poll.register(descriptor, select.POLLIN)
        poll.register(self._socket, select.POLLIN | (select.POLLOUT if unsent else 0))
        while True:
            for descriptor, _event in poll.poll(self._patience_ms(started, deadline)):
                if descriptor == self._output_pipe and not self._drain_output():
                    poll.unregister(self._output_pipe)
                elif descriptor == self._socket.fileno():
                    if unsent and not (unsent := self._send(unsent)):
                        poll.modify(self._socket, select.POLLIN)
                    if self._is_complete(incoming, replies, numbers):
                        return
                elif descriptor == self._pidfd and not self._has_more():
                    raise self._ended(0.0)

    def _patience_ms(self, started: float, deadline: float) -> float:
        """How long to wait at most for the next word; raises Lost where there is no time left."""
        now = time.monotonic()
        if now >= deadline:
            raise self._timed_out()
        if not self._let_go and now >= started + LONG_S:
            lockdown.let_go(self._pid())
            self._let_go = True
        until = deadline if self._let_go else min(deadline, started + LONG_S)
        return 1000 * (until - now) + 1

    def _is_complete(self, incoming: bytearray, replies: list[bytes], numbers: range) -> bool:
        """Take what has arrived; whether those are all the replies. Raises Lost at its end of the socket."""
        ended = self._receive(incoming)
        while (payload := _taken(incoming, numbers[len(replies) :])) is not None:
            self._replied += len(payload)
            if self._replied > wire.MAX_PAYLOAD + wire.LITTLE:  # our worker skips what would lead to that
                raise wire.WireError(f"replies of {self._replied} bytes to what was asked at once")
            replies.append(payload)
        if len(replies) == len(numbers):
            if incoming:
                raise wire.WireError("more than was asked for")
            self._drain_output()  # what was printed before the last reply belongs to it
            return True
        if ended:
            raise self._ended(1.0)
        return False

    def _send(self, unsent: memoryview) -> memoryview:
        try:
            return unsent[self._socket.send(unsent) :] if unsent else unsent
        except BlockingIOError:
            return unsent
        except (BrokenPipeError, ConnectionResetError):
            return unsent[:0]  # it is about to be seen as ended

    def _receive(self, incoming: bytearray) -> bool:
        """Take what has arrived; whether its end of the socket is closed."""
        try:
            piece = self._socket.recv(2**18)
        except BlockingIOError:
            return False
        except ConnectionResetError:
            return True
        incoming += piece
        return not piece

    def _has_more(self) -> bool:
        try:
            return bool(self._socket.recv(1, socket.MSG_PEEK))
        except (BlockingIOError, ConnectionResetError):
            return False

    def _drain_output(self) -> bool:
        """Take what was printed; False at the end of the pipe. Raises Lost above the limit."""
        while True:
            try:
                piece = os.read(self._output_pipe, 2**16)
            except BlockingIOError:
                return True
            if not piece:
                return False
            self._output.add(piece)
            self._output_room -= len(piece)
            if self._output_room < 0:
                trace = self._where()
                self._kill()
                raise Lost("output_limit", trace=trace)

    def _timed_out(self) -> Lost:
        busy = self._is_busy()
        trace = self._where()
        self._kill()
        return Lost("time_limit", busy=busy, trace=trace)

    def _is_busy(self) -> bool:
        """Whether it computes, or would if it had a processor: its CPU time would depend on our load."""
        try:
            stat = Path(f"/proc/{self._pid()}/stat").read_text("ascii", "replace")
        except OSError:
            return True  # it ended just now
        state = stat.rpartition(")")[2].split()[0]
        return state in ("R", "D")  # running or runnable; D: waiting for memory to be filled

    def _pid(self) -> int:
        """Its number as we see it; 0 where it has been reaped."""
        told = Path(f"/proc/self/fdinfo/{self._pidfd}").read_text("ascii")
        pid = re.search(r"^Pid:\s*(\d+)$", told, re.MULTILINE)
        return int(pid[1]) if pid else 0

    def _where(self) -> str:
        """Ask which line it is at: a signal handler in C writes that, unless the submission has replaced it."""
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._pidfd, TRACE_SIGNAL)
        poll = select.poll()
        poll.register(self._trace_pipe, select.POLLIN)
        written = b""
        deadline = time.monotonic() + TRACE_S
        while len(written) < 2**16 and poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
            piece = os.read(self._trace_pipe, 2**14)
            written += piece
            if not piece or (written.endswith(b"\n") and b"grader" in written):
                break
        return written.decode("utf-8", "replace")

    def _ended(self, patience_s: float) -> Lost:
        """Why it is gone: its end of the socket is closed, or it is no longer there."""
        poll = select.poll()
        poll.register(self._pidfd, select.POLLIN)
        by_itself = bool(poll.poll(patience_s * 1000))
        self._drain_output()
        end = self._kill()
        if not by_itself:
            raise wire.WireError("it closed its socket and lived on")
        if os.WIFSIGNALED(end.status):
            number = os.WTERMSIG(end.status)
            if number in (signal.SIGKILL, signal.SIGXCPU) and end.cpu_s > 0.9 * self._limits.cpu_s:
                return Lost("time_limit", busy=True)
            return Lost("killed", signal_name=signal.Signals(number).name)
        return Lost("ended", code=os.waitstatus_to_exitcode(end.status))

    def _kill(self) -> End:
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
        end = self._wait_for_end()
        self._closed = True
        os.close(self._pidfd)
        os.close(self._output_pipe)
        os.close(self._trace_pipe)
        self._socket.close()
        return end

    def close(self) -> None:
        """End it, and wait until it is gone."""
        if not self._closed:
            self._kill()


def _taken(incoming: bytearray, numbers: range) -> bytes | None:
    """The payload of the first frame, taken out, once it is whole; raises WireError for one that nobody waits for."""
    if len(incoming) < wire.HEADER.size:
        return None
    number, _kind, length = wire.read_header(bytes(incoming[: wire.HEADER.size]))
    if not numbers or number != numbers[0]:
        raise wire.WireError("not the reply to this request")
    end = wire.HEADER.size + length
    if len(incoming) < end:
        return None
    payload = bytes(incoming[wire.HEADER.size : end])
    del incoming[:end]
    return payload
