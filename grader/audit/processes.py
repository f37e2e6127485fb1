"""Audits many exercises over all cores: each process takes the next exercise, what they found comes in order.

    exercises ---> Processes ===> process ---> sandboxes of its own
    on_start, on_proof, audits  <=== process ---> ...

The proofs of the exercise whose turn it is are told as they are tried; those of later ones wait until it has ended.
"""

from __future__ import annotations

import contextlib
import signal
import subprocess
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Self

from grader.audit.process import Asked, Failed, Tried
from grader.audit.proof import ExerciseAudit, Proof
from grader.errors import GraderError
from grader.judge.own_process import own_process

END_S = 10.0


@dataclass
class _Process:
    process: subprocess.Popen[bytes]
    connection: Connection
    has: Asked | None = None

    def close(self) -> None:
        """End it at once; its zygotes go with it."""
        self.connection.close()
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGKILL)
        self.process.wait(END_S)


@dataclass
class _Told:
    """What has come in about one exercise."""

    proofs: deque[Proof] = field(default_factory=deque)
    audit: ExerciseAudit | None = None


class Processes:
    """The processes of one audit. Use as a context manager: its end, however it comes, ends them all."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._processes: list[_Process] = []

    def __enter__(self) -> Self:
        self._processes += [_started() for _ in range(self._count)]
        return self

    def __exit__(self, *_exception: object) -> None:
        for process in self._processes:
            process.close()
        self._processes.clear()

    def audit(
        self, asked: Sequence[Asked], on_start: Callable[[str], None], on_proof: Callable[[Proof], None]
    ) -> Iterator[ExerciseAudit]:
        """The audit of each exercise, in the order in which they are asked for.

        Args:
            on_start: called with the name of an exercise before the first of its proofs.
            on_proof: called for each proof.

        Raises:
            GraderError: a process met a fault of ours, or was lost.
        """
        waiting = deque(asked)
        told = {each.exercise: _Told() for each in asked}
        for process in self._processes:
            _give(process, waiting)
        for each in asked:
            on_start(each.exercise)
            one = told[each.exercise]
            while one.audit is None or one.proofs:
                while one.proofs:
                    on_proof(one.proofs.popleft())
                if one.audit is None:
                    self._hear(told, waiting)
            yield one.audit

    def _hear(self, told: dict[str, _Told], waiting: deque[Asked]) -> None:
        """Take in what has come, at least one message."""
        busy = {process.connection: (process, process.has) for process in self._processes if process.has}
        for process, asked in (busy[connection] for connection in wait(busy) if isinstance(connection, Connection)):
            name = asked.exercise
            try:
                message = process.connection.recv()
            except (EOFError, OSError) as error:  # gone without a word: out of memory, or killed by somebody
                raise GraderError(f"{name}: the process of its audit was lost") from error
            if isinstance(message, Tried):
                told[name].proofs.append(message.proof)
            elif isinstance(message, Failed):
                raise GraderError(f"{name}: the process of its audit met a fault:\n{message.fault}")
            else:
                told[name].audit = message
                _give(process, waiting)


def _give(process: _Process, waiting: deque[Asked]) -> None:
    process.has = waiting.popleft() if waiting else None
    with contextlib.suppress(OSError):  # where it is lost, its end of the connection says so
        process.connection.send(process.has)


def _started() -> _Process:
    process, ours = own_process("grader.audit.process")
    return _Process(process, Connection(ours.detach()))
