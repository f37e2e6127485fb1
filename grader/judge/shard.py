"""One process of a batch: collects a suite once, then grades what it is sent, in its own sandbox, to the end.

    coordinator --Setup, Submission ..., None--> shard --Ready, Done ..., Ended--> coordinator

Both ends are ours, so what travels is pickled. The process dies with the coordinator, and its zygote with it.
"""

from __future__ import annotations

import signal
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from grader.course import load_course, load_exercise
from grader.errors import ContentError
from grader.judge.grading import grade_all
from grader.model import GradeReport, Isolation, Submission
from grader.sandbox.client import Sandbox
from grader.sandbox.launch import launch
from grader.sandbox.lockdown import die_with_parent


@dataclass(frozen=True)
class Setup:
    """What a shard is told first.

    Attributes:
        course: its root.
        finish: done in the shard with each report; what it returns travels with the report.
    """

    course: Path
    exercise: str
    finish: Callable[[GradeReport], object]


@dataclass(frozen=True)
class Ready:
    """The sandbox is up and the suite is collected."""

    isolation: Isolation


@dataclass(frozen=True)
class Done:
    """One submission has been graded."""

    report: GradeReport
    finished: object


@dataclass(frozen=True)
class Ended:
    """Nothing more is graded.

    Attributes:
        content: what is wrong with the course, "" where nothing is.
        fault: what went wrong on our side, with its traceback, "" where nothing did.
    """

    content: str = ""
    fault: str = ""


def main(descriptor: int) -> None:
    """Serve one coordinator until the end."""
    die_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the coordinator's
    with Connection(descriptor) as connection:
        try:
            connection.send(_serve(connection))
        except (EOFError, BrokenPipeError, ConnectionResetError):
            return  # the coordinator has gone, and wants nothing more


def _serve(connection: Connection) -> Ended:
    setup: Setup = connection.recv()
    try:
        course = load_course(setup.course)
        exercise = load_exercise(course, setup.exercise)
        launched = launch(exercise.packages)  # it warms up while the suite is collected
        with Sandbox(exercise.packages, launched=launched) as sandbox:

            def arriving() -> Iterator[Submission]:
                connection.send(Ready(sandbox.isolation))
                while (submission := connection.recv()) is not None:
                    yield submission

            def hand_over(report: GradeReport) -> None:
                connection.send(Done(report, setup.finish(report)))

            grade_all(course, exercise, arriving(), hand_over, sandbox=sandbox)
    except ContentError as error:
        return Ended(content=str(error))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        raise
    except Exception:  # noqa: BLE001 - told to the operator by the coordinator
        return Ended(fault=traceback.format_exc())
    return Ended()
