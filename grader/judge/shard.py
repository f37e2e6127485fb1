"""One process of a batch: collects a suite once, then grades what it is sent, in its own sandbox.

    for each exercise:  coordinator --Setup, Submission ..., None--> shard --Ready, Done ..., Ended--> coordinator

It is forked from the seed (seed.py), which has imported what is slow to import, and it stays from one exercise to the
next. Both ends are ours, so what travels is pickled. The process dies with the seed, and so does its zygote.
"""

from __future__ import annotations

import contextlib
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path

from grader.course import Course, load_course, load_exercise
from grader.errors import ContentError, GraderError
from grader.judge.grading import grade_all
from grader.model import GradeReport, Isolation, Submission
from grader.sandbox.client import Sandbox
from grader.sandbox.launch import Launched


@dataclass(frozen=True)
class Setup:
    """What a shard is told first.

    Attributes:
        course: its root.
        finish: done in the shard with each report; what it returns travels with the report.
        figures: also ask each submission for what the figures of a page show.
        packages: what submissions may import.
        many: hundreds of submissions come, of this exercise or of others with the same packages.
    """

    course: Path
    exercise: str
    finish: Callable[[GradeReport], object]
    packages: tuple[str, ...]
    figures: bool = False
    many: bool = False


@dataclass(frozen=True)
class Work:
    """The submissions for one exercise, and who is told what becomes of them.

    Attributes:
        submissions: asked for one by one, as they are needed.
        expected: how many there are.
        on_done: called with each result.
        on_lost: called for a submission that ended its process each time it was tried.
        on_fault: called with what is wrong with the course, for which nothing more of the exercise is graded, or with
            a fault of ours, in spite of which everything is that can be; perhaps more than once.
    """

    setup: Setup
    submissions: Iterable[Submission]
    expected: int
    on_done: Callable[[Done], None]
    on_lost: Callable[[Submission], None]
    on_fault: Callable[[ContentError | GraderError], None]


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


def serve(connection: Connection, launched: Launched, trouble: str) -> None:
    """Grade one exercise after the other, until the coordinator goes.

    Args:
        launched: the zygote of this process.
        trouble: why nothing can be graded at all, "" where it can.
    """
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):  # it wants nothing more
        shard = _Shard(connection, launched)
        while True:
            setup: Setup = connection.recv()
            connection.send(Ended(fault=trouble) if trouble else shard.grade(setup))


class _Shard:
    """One sandbox, and the coordinator that it works for."""

    def __init__(self, connection: Connection, launched: Launched) -> None:
        self._connection = connection
        self._launched = launched
        self._sandbox: Sandbox | None = None

    def grade(self, setup: Setup) -> Ended:
        try:
            course = _course(setup.course)
            exercise = load_exercise(course, setup.exercise)
            sandbox = self._sandbox = self._sandbox or Sandbox(setup.packages, launched=self._launched)

            def arriving() -> Iterator[Submission]:
                self._connection.send(Ready(sandbox.isolation))
                while (submission := self._connection.recv()) is not None:
                    yield submission

            def hand_over(report: GradeReport) -> None:
                self._connection.send(Done(report, setup.finish(report)))

            grade_all(course, exercise, arriving(), hand_over, sandbox=sandbox, figures=setup.figures)
        except ContentError as error:
            return Ended(content=str(error))
        except (EOFError, BrokenPipeError, ConnectionResetError):
            raise
        except Exception:  # noqa: BLE001 - told to the operator by the coordinator
            return Ended(fault=traceback.format_exc())
        return Ended()


@cache
def _course(root: Path) -> Course:
    """The course, read once in a process."""
    return load_course(root)
