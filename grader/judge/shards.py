"""Grades many submissions over all cores: one process for each, none of them waits for another.

    works       ---> Shards ===> shard ---> zygote ---> one worker for each submission
    on_done     <---        <=== shard ---> zygote ---> ...
                       |           |
                       `--> seed --^ forks them; one seed for each set of packages

A shard that finds nothing more to do in an exercise begins the next one, while others still have submissions of the
one before. It stays, and with it what it has imported, as long as the packages do.

A shard that is lost takes nothing along but the submissions it had: they are given to a fresh one, and one that loses
its shard again and again is handed back as it is. Memory stays flat: submissions are asked for as they are needed.
"""

from __future__ import annotations

import contextlib
import os
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Self

from grader.judge.begun import MOST_LOSSES, Begun, Exercises
from grader.judge.seed_process import SeedProcess
from grader.judge.shard import Ended, Ready, Work
from grader.model import Isolation, Submission, Verdict
from grader.sandbox.lockdown import ANY_CORE

SUBMISSIONS_EACH = 2  # that a shard has at a time: the one it grades and the next


class _Exercise(Begun):
    """One exercise, and how many processes ended before they had collected its suite."""

    def __init__(self, work: Work) -> None:
        super().__init__(work)
        self._unready = 0

    def wants(self, *, starting: int) -> bool:
        """Whether one more shard would find something to do, beside those that collect the suite just now."""
        return self._unready < MOST_LOSSES and self.to_give > starting

    def bury(self, had: Sequence[Submission], *, ready: bool) -> None:
        """A shard is gone: what it had is tried again, and the one that it graded may be to blame."""
        if had:
            self.lose(had[0])
        self.again.extend(tuple(had)[1:])
        self._unready += not ready
        if not ready and self._unready == MOST_LOSSES:
            self.blame(f"{self.work.setup.exercise}: a process of the batch ended before it was ready")


@dataclass
class _Shard:
    connection: Connection
    seed: SeedProcess
    core: int  # the only one it runs on, or ANY_CORE
    exercise: _Exercise  # that it grades, or graded last; the fields below are about it
    busy: bool = False
    ready: bool = False
    asked_to_end: bool = False
    has: deque[Submission] = field(default_factory=deque)

    def begin(self, exercise: _Exercise) -> None:
        """Have it collect the suite of an exercise."""
        self.exercise, self.busy, self.ready, self.asked_to_end = exercise, True, False, False
        self.send(exercise.work.setup)

    def is_starting(self, exercise: _Exercise) -> bool:
        return self.busy and self.exercise is exercise and not self.ready

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
        on_isolation: called before anything is graded, once for each `grade` and where it differs; what it raises ends
            the grading.
        seed: one that was started even before it was known what is to be graded.
    """

    def __init__(self, count: int, on_isolation: Callable[[Isolation], None], seed: SeedProcess | None = None) -> None:
        self._count = count
        here = sorted(os.sched_getaffinity(0))
        self._cores = here if count == len(here) else []  # fewer could meet on one that somebody else needs
        self._on_isolation = on_isolation
        self._isolation: Isolation | None = None
        self._seeds = [seed] if seed is not None else []
        self._shards: list[_Shard] = []
        self._exercises: Exercises[_Exercise] = Exercises((), _Exercise)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.end()

    def end(self) -> None:
        """End all processes; what is graded after that starts others."""
        for seed in self._seeds:
            seed.close()
        for shard in self._shards:
            shard.close()
        self._seeds.clear()
        self._shards.clear()

    def grade(self, works: Iterable[Work], on_tick: Callable[[], None] = lambda: None) -> None:
        """Grade all submissions: exercise by exercise, those of one in no order; no process is started for nothing.

        Args:
            works: asked for one by one, as soon as a process finds nothing to do in those before.
            on_tick: called at least once a second.
        """
        self._exercises = Exercises(works, _Exercise)
        self._isolation = None  # what was accepted before may not be this time
        try:
            while busy := self._employed():
                for connection in wait([shard.connection for shard in busy], timeout=1.0):
                    self._hear(next(shard for shard in busy if shard.connection is connection))
                on_tick()
        except BaseException:  # what is still on its way from them belongs to nobody
            self.end()
            raise

    def _employed(self) -> list[_Shard]:
        """Those that have something to do, when everyone for whom there is something has got it."""
        while True:
            busy = [shard for shard in self._shards if shard.busy]
            if len(busy) == self._count or (exercise := self._next_exercise()) is None:
                return busy
            self._idle_for(exercise).begin(exercise)

    def _next_exercise(self) -> _Exercise | None:
        """The first one with work for one more shard; those that were begun come first."""
        for exercise in self._exercises:
            if exercise.wants(starting=sum(shard.is_starting(exercise) for shard in self._shards)):
                return exercise
        return None

    # --- one shard ---------------------------------------------------------------------------------------------

    def _idle_for(self, exercise: _Exercise) -> _Shard:
        """One that has the packages, or a fresh one, for which another one that is idle makes room."""
        setup = exercise.work.setup
        idle = [shard for shard in self._shards if not shard.busy]
        for shard in idle:
            if shard.seed.fits(setup.packages, many=setup.many):
                return shard
        if len(self._shards) == self._count:
            self._shards.remove(idle[0])
            idle[0].close()
        return self._start(exercise)

    def _start(self, exercise: _Exercise) -> _Shard:
        setup = exercise.work.setup
        fitting = [seed for seed in self._seeds if seed.fits(setup.packages, many=setup.many)]
        seed = fitting[0] if fitting else SeedProcess(setup.packages, many=setup.many)
        taken = {shard.core for shard in self._shards}
        core = next((core for core in self._cores if core not in taken), ANY_CORE)
        self._shards.append(_Shard(seed.fork(setup, core), seed, core, exercise))
        used = {shard.seed for shard in self._shards}
        for other in set(self._seeds) - used:
            other.close()
        self._seeds = list(used)
        return self._shards[-1]

    def _hear(self, shard: _Shard) -> None:
        exercise = shard.exercise
        try:
            message = shard.connection.recv()
        except (EOFError, OSError):  # gone without a word: out of memory, or killed by somebody
            self._bury(shard)
            return
        if isinstance(message, Ended):
            shard.busy = False
            if message.content:
                exercise.give_up(message.content)
            if message.fault:
                exercise.blame(f"{exercise.work.setup.exercise}: a process of the batch met a fault:\n{message.fault}")
            if message.content or message.fault:
                self._bury(shard)
            return
        if isinstance(message, Ready):
            shard.ready = True
            if message.isolation != self._isolation:
                self._on_isolation(message.isolation)
                self._isolation = message.isolation
        elif message.report.verdict is Verdict.GRADER_ERROR and exercise.may_retry(shard.has[0]):
            self._bury(shard)  # whatever is wrong with it, the next submissions shall not meet it
            return
        else:
            shard.has.popleft()
            exercise.work.on_done(message)
        self._fill(shard)

    def _fill(self, shard: _Shard) -> None:
        while len(shard.has) < self._most(shard.exercise) and not shard.asked_to_end:
            taken = shard.exercise.take()
            shard.send(*(taken or (None,)))
            shard.has.extend(taken)
            shard.asked_to_end = not taken

    def _most(self, exercise: _Exercise) -> int:
        """How many a shard has at a time: at the end none waits behind a slow one while another process is idle."""
        return SUBMISSIONS_EACH if exercise.left > SUBMISSIONS_EACH * len(self._shards) else 1

    def _bury(self, shard: _Shard) -> None:
        """End a shard; where there is work left for it, a fresh one takes its place."""
        self._shards.remove(shard)
        shard.close()
        shard.exercise.bury(shard.has, ready=shard.ready)
