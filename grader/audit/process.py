"""One process of an audit: tries the proofs on one exercise after the other, with sandboxes of its own.

    coordinator --Asked ..., None--> process --Tried, ExerciseAudit, Failed--> coordinator

Both ends are ours, so what travels is pickled. The process dies with the coordinator, and its zygotes with it.
"""

from __future__ import annotations

import signal
import traceback
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from grader.audit.proof import ExerciseAudit, Proof
from grader.audit.run import audit_exercise
from grader.course import load_course
from grader.sandbox.client import Sandbox
from grader.sandbox.lockdown import die_with_parent


@dataclass(frozen=True)
class Asked:
    """One exercise to be audited, see `audit_exercise`."""

    course: Path
    exercise: str
    full: bool
    every: bool


@dataclass(frozen=True)
class Tried:
    """One proof has been tried."""

    proof: Proof


@dataclass(frozen=True)
class Failed:
    """The audit of an exercise met a fault of ours.

    Attributes:
        fault: its traceback.
    """

    fault: str


@contextmanager
def sandboxes() -> Iterator[Callable[[tuple[str, ...]], Sandbox]]:
    """One sandbox for each set of packages, started when it is first asked for."""
    started: dict[tuple[str, ...], Sandbox] = {}
    with ExitStack() as stack:

        def sandbox(packages: tuple[str, ...]) -> Sandbox:
            if packages not in started:
                started[packages] = stack.enter_context(Sandbox(packages))
            return started[packages]

        yield sandbox


def main(descriptor: int) -> None:
    """Serve one coordinator until the end."""
    die_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the coordinator's
    with Connection(descriptor) as connection, sandboxes() as sandbox:
        try:
            while (asked := connection.recv()) is not None:
                connection.send(_answer(asked, sandbox, connection))
        except (EOFError, BrokenPipeError, ConnectionResetError):
            return  # the coordinator has gone, and wants nothing more


def _answer(
    asked: Asked, sandbox: Callable[[tuple[str, ...]], Sandbox], connection: Connection
) -> ExerciseAudit | Failed:
    try:
        course = load_course(asked.course)
        return audit_exercise(
            course,
            asked.exercise,
            sandbox,
            full=asked.full,
            every=asked.every,
            on_proof=lambda proof: connection.send(Tried(proof)),
        )
    except (EOFError, BrokenPipeError, ConnectionResetError):
        raise
    except Exception:  # noqa: BLE001 - told to the author by the coordinator
        return Failed(traceback.format_exc())
