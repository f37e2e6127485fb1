"""Grades many submissions over all cores: one process for each, none of them waits for another.

    submissions ---> Shards ===> shard ---> zygote ---> one worker for each submission
    on_done     <---        <=== shard ---> zygote ---> ...
                       |           |
                       `--> seed --^ forks them

One exercise after the other; the processes stay, and with them what they have imported, as long as the packages do.

A shard that is lost takes nothing along but the submissions it had: they are given to a fresh one, and one that loses
its shard again and again is handed back as it is. Memory stays flat: submissions are asked for as they are needed.
"""

from __future__ import annotations

import contextlib
import os
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Self

from grader.errors import ContentError, GraderError
from grader.judge.seed_process import SeedProcess
from grader.judge.shard import Ended, Ready, Setup, Work
from grader.model import Isolation, Submission, Verdict
from grader.sandbox.lockdown import ANY_CORE

AHEAD = 2  # submissions a shard has at a time: the one it grades and the next
MOST_LOSSES = 3  # shards that one submission may take along
MOST_RETRIES = 20  # in all: where the suite itself fails, each submission would take shards along


@dataclass
class _Shard:
    connection: Connection
    core: int  # the only one it runs on, or ANY_CORE
    busy: bool = False  # with the exercise that is graded now; the fields below are about it
    ready: bool = False
    asked_to_end: bool = False
    has: deque[Submission] = field(default_factory=deque)

    def begin(self, setup: Setup) -> None:
        """Have it collect the suite of an exercise."""
        self.busy, self.ready, self.asked_to_end = True, False, False
        self.send(setup)

    def send(self, message: object) -> None:
        with contextlib.suppress(OSError):  # where it is lost, its end of the connection says so
            self.connection.send(message)

    def close(self) -> None:
        """Let it end as soon as it looks up; its zygote goes with it."""
        self.connection.close()


class Shards:
    """The processes that grade. Use as a context manager: its end, however it comes, ends them all.

    Args:
        count: how many there are at most; where there are exactly as many as cores, each has one of its own.
        on_isolation: called before anything is graded; what it raises ends the grading.
        seed: one that was started even before it was known what is to be graded.
    """

    def __init__(self, count: int, on_isolation: Callable[[Isolation], None], seed: SeedProcess | None = None) -> None:
        self._count = count
        here = sorted(os.sched_getaffinity(0))
        self._cores = here if count == len(here) else []  # fewer could meet on one that somebody else needs
        self._on_isolation = on_isolation
        self._isolation: Isolation | None = None
        self._seed = seed
        self._shards: list[_Shard] = []
        self._forget()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self._end_all()

    def _end_all(self) -> None:
        if self._seed is not None:
            self._seed.close()
            self._seed = None
        for shard in self._shards:
            shard.close()
        self._shards.clear()

    def _forget(self) -> None:
        """What was known of the exercise before."""
        self._again: deque[Submission] = deque()
        self._losses: dict[tuple[str, str], int] = {}
        self._faults: list[str] = []
        self._left = 0  # submissions that no shard has been given yet
        self._unready = 0

    def grade(self, work: Work) -> None:
        """Grade all submissions for one exercise, in no order; more processes than there are of them are not started.

        Raises:
            ContentError: the course is at fault.
            GraderError: some shard met a fault of ours; raised when everything that could be graded was.
        """
        self._setup = setup = work.setup
        self._forget()
        if self._seed is not None and not self._seed.fits(setup.packages, many=setup.many):
            self._end_all()
        waiting, self._left = iter(work.submissions), work.expected
        wanted = min(self._count, work.expected)
        while len(self._shards) < wanted:
            self._shards.append(self._start())
        for shard in self._shards[:wanted]:
            shard.begin(setup)
        try:
            while busy := [shard for shard in self._shards if shard.busy]:
                for connection in wait([shard.connection for shard in busy], timeout=1.0):
                    shard = next(shard for shard in busy if shard.connection is connection)
                    self._hear(shard, waiting, work)
                work.on_tick()
        except BaseException:  # what is still on its way from them belongs to nobody
            self._end_all()
            raise
        if self._faults:
            raise GraderError(f"{setup.exercise}: a process of the batch met a fault:\n{self._faults[0]}")

    # --- one shard ---------------------------------------------------------------------------------------------

    def _start(self) -> _Shard:
        if self._seed is None or not self._seed.is_there:
            self._seed = SeedProcess(self._setup.packages, many=self._setup.many)
        taken = {shard.core for shard in self._shards}
        core = next((core for core in self._cores if core not in taken), ANY_CORE)
        return _Shard(self._seed.fork(self._setup, core), core)

    def _hear(self, shard: _Shard, waiting: Iterator[Submission], work: Work) -> None:
        try:
            message = shard.connection.recv()
        except (EOFError, OSError):  # gone without a word: out of memory, or killed by somebody
            self._bury(shard, work.on_lost)
            return
        if isinstance(message, Ended):
            self._faults += [message.fault] if message.fault else []
            if message.content:
                raise ContentError(message.content)
            if message.fault or shard.has or self._again:
                self._bury(shard, work.on_lost, ended=True)
            shard.busy = False
            return
        if isinstance(message, Ready):
            shard.ready = True
            if message.isolation != self._isolation:
                self._on_isolation(message.isolation)
                self._isolation = message.isolation
        elif message.report.verdict is Verdict.GRADER_ERROR and self._may_retry(shard.has[0]):
            self._bury(shard, work.on_lost)  # whatever is wrong with it, the next submissions shall not meet it
            return
        else:
            shard.has.popleft()
            work.on_done(message)
        self._fill(shard, waiting)

    def _fill(self, shard: _Shard, waiting: Iterator[Submission]) -> None:
        while len(shard.has) < self._most() and not shard.asked_to_end:
            self._left -= not self._again
            submission = self._again.popleft() if self._again else next(waiting, None)
            shard.send(submission)
            if submission is None:
                shard.asked_to_end = True
            else:
                shard.has.append(submission)

    def _most(self) -> int:
        """How many a shard has at a time: at the end none waits behind a slow one while another process is idle."""
        return AHEAD if self._left > AHEAD * len(self._shards) else 1

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
        fresh = self._start()
        fresh.begin(self._setup)
        self._shards.append(fresh)


def _identity(submission: Submission) -> tuple[str, str]:
    return submission.who, submission.sha256
