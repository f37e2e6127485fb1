"""Grades many submissions over all cores: one process for each, none of them waits for another.

    submissions ---> Shards ===> shard ---> zygote ---> one worker for each submission
    on_done     <---        <=== shard ---> zygote ---> ...

A shard that is lost takes nothing along but the submissions it had: they are given to a fresh one, and one that loses
its shard again and again is handed back as it is. Memory stays flat: submissions are asked for as they are needed.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Self

from grader.errors import ContentError, GraderError
from grader.judge.shard import Done, Ended, Ready, Setup
from grader.model import Isolation, Submission, Verdict

AHEAD = 2  # submissions a shard has at a time: the one it grades and the next
MOST_LOSSES = 3  # shards that one submission may take along
MOST_RETRIES = 20  # in all: where the suite itself fails, each submission would take shards along
END_S = 10.0

_BOOT = "import sys; sys.path.append(sys.argv[2]); from grader.judge.shard import main; main(int(sys.argv[1]))"


@dataclass
class _Shard:
    process: subprocess.Popen[bytes]
    connection: Connection
    ready: bool = False
    asked_to_end: bool = False
    has: deque[Submission] = field(default_factory=deque)

    def send(self, message: object) -> None:
        with contextlib.suppress(OSError):  # where it is lost, its end of the connection says so
            self.connection.send(message)

    def close(self) -> None:
        """End it at once; its zygote goes with it."""
        self.connection.close()
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGKILL)
        self.process.wait(END_S)


class Shards:
    """The processes that grade one exercise. Use as a context manager: its end, however it comes, ends them all.

    Args:
        setup: what each of them is told first.
        count: how many there are.
        on_isolation: called before anything is graded; what it raises ends the grading.
    """

    def __init__(self, setup: Setup, count: int, on_isolation: Callable[[Isolation], None]) -> None:
        self._setup = setup
        self._count = count
        self._on_isolation = on_isolation
        self._told_isolation = False
        self._shards: list[_Shard] = []
        self._again: deque[Submission] = deque()
        self._losses: dict[tuple[str, str], int] = {}
        self._faults: list[str] = []
        self._unready = 0

    def __enter__(self) -> Self:
        self._shards += [self._start() for _ in range(self._count)]
        return self

    def __exit__(self, *_exception: object) -> None:
        for shard in self._shards:
            shard.close()
        self._shards.clear()

    def grade(
        self,
        submissions: Iterable[Submission],
        on_done: Callable[[Done], None],
        on_lost: Callable[[Submission], None],
        on_tick: Callable[[], None] = lambda: None,
    ) -> None:
        """Grade all submissions, in no order.

        Args:
            on_lost: called for a submission that ended its shard each time it was tried.
            on_tick: called at least once a second.

        Raises:
            ContentError: the course is at fault.
            GraderError: some shard met a fault of ours; raised when everything that could be graded was.
        """
        waiting = iter(submissions)
        while self._shards:
            for connection in wait([shard.connection for shard in self._shards], timeout=1.0):
                shard = next(shard for shard in self._shards if shard.connection is connection)
                self._hear(shard, waiting, on_done, on_lost)
            on_tick()
        if self._faults:
            raise GraderError(f"{self._setup.exercise}: a process of the batch met a fault:\n{self._faults[0]}")

    # --- one shard ---------------------------------------------------------------------------------------------

    def _start(self) -> _Shard:
        ours, theirs = socket.socketpair()
        root = str(Path(__file__).parents[2])
        command = [sys.executable, "-P", "-c", _BOOT, str(theirs.fileno()), root]
        one = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")  # each core has a shard of its own
        with theirs:
            process = subprocess.Popen(  # noqa: S603 - our own interpreter on our own module
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env={**os.environ, **dict.fromkeys(one, "1")},
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # Ctrl-C reaches the coordinator alone
            )
        shard = _Shard(process, Connection(ours.detach()))
        shard.send(self._setup)
        return shard

    def _hear(
        self,
        shard: _Shard,
        waiting: Iterator[Submission],
        on_done: Callable[[Done], None],
        on_lost: Callable[[Submission], None],
    ) -> None:
        try:
            message = shard.connection.recv()
        except (EOFError, OSError):  # gone without a word: out of memory, or killed by somebody
            self._bury(shard, on_lost)
            return
        if isinstance(message, Ended):
            self._faults += [message.fault] if message.fault else []
            if message.content:
                raise ContentError(message.content)
            self._bury(shard, on_lost, ended=True)
            return
        if isinstance(message, Ready):
            shard.ready = True
            if not self._told_isolation:
                self._on_isolation(message.isolation)
                self._told_isolation = True
        elif message.report.verdict is Verdict.GRADER_ERROR and self._may_retry(shard.has[0]):
            self._bury(shard, on_lost)  # whatever is wrong with it, the next submissions shall not meet it
            return
        else:
            shard.has.popleft()
            on_done(message)
        self._fill(shard, waiting)

    def _fill(self, shard: _Shard, waiting: Iterator[Submission]) -> None:
        while len(shard.has) < AHEAD and not shard.asked_to_end:
            submission = self._again.popleft() if self._again else next(waiting, None)
            shard.send(submission)
            if submission is None:
                shard.asked_to_end = True
            else:
                shard.has.append(submission)

    def _may_retry(self, suspect: Submission) -> bool:
        return sum(self._losses.values()) < MOST_RETRIES and self._losses.get(_identity(suspect), 0) < MOST_LOSSES - 1

    def _bury(self, shard: _Shard, on_lost: Callable[[Submission], None], *, ended: bool = False) -> None:
        """End a shard, and start another one where there is work left for it."""
        self._shards.remove(shard)
        shard.close()
        if shard.has:
            suspect = shard.has[0]
            self._losses[_identity(suspect)] = self._losses.get(_identity(suspect), 0) + 1
            if self._losses[_identity(suspect)] >= MOST_LOSSES:
                shard.has.popleft()
                on_lost(suspect)
        self._again.extend(shard.has)
        if shard.asked_to_end and not self._again:
            return
        if not shard.ready:
            self._unready += 1
            if ended:
                return
            if self._unready >= MOST_LOSSES:
                raise GraderError(f"{self._setup.exercise}: a process of the batch ended before it was ready")
        self._shards.append(self._start())


def _identity(submission: Submission) -> tuple[str, str]:
    return submission.who, submission.sha256
