"""Grades one attack as any submission is graded, a right answer right after it, and lists all that went wrong."""

from __future__ import annotations

import contextlib
import dataclasses
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

from attack import Attack
from ground import EXERCISE, Ground
from shown import faults, forms

from grader.course import read_submission
from grader.errors import GraderError, SubmissionError
from grader.judge.grading import grade_all
from grader.model import CaseFailure, GradeReport, Limits, Submission
from grader.sandbox.client import Sandbox

RIGHT = b"import numpy as np\n\n\ndef concat_heads(heads):\n    return np.concatenate(list(heads), axis=1)\n"
ZEROS = (
    b"import numpy as np\n\n\n"
    b"def concat_heads(heads):\n    return np.zeros((heads.shape[1], heads.shape[0] * heads.shape[2]))\n"
)
PATIENT = Limits(wall_s=2.0, memory_mib=256)
HASTY = Limits(wall_s=0.5, memory_mib=256)  # where running out of time is what is expected

TORCH_RIGHT = b"""import torch


def split_heads(x, num_heads):
    B, L, d_model = x.shape
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"{d_model} columns, {num_heads} heads")
    return x.view(B, L, num_heads, -1).transpose(1, 2)


def merge_heads(heads):
    return heads.transpose(1, 2).flatten(2).contiguous()
"""
TORCH_ZEROS = b"""import torch


def split_heads(x, num_heads):
    B, L, d_model = x.shape
    return torch.zeros(B, num_heads, L, d_model // max(num_heads, 1), dtype=x.dtype)


def merge_heads(heads):
    B, h, L, d_k = heads.shape
    return torch.zeros(B, L, h * d_k, dtype=heads.dtype)
"""
# What lets an attack on concat_heads be handed in where two other functions are asked for.
TORCH_NAMES = b"""

def split_heads(x, num_heads):
    return concat_heads(x)


def merge_heads(heads):
    return concat_heads(heads)
"""


@dataclasses.dataclass(frozen=True)
class Task:
    """The exercise that is attacked, a right answer to it, and zeros of the right shape."""

    exercise: str
    right: bytes
    zeros: bytes
    added: bytes = b""  # to the end of an attack


CONCAT = Task(EXERCISE, RIGHT, ZEROS)
BATCHED = Task("08_batched_heads", TORCH_RIGHT, TORCH_ZEROS)


class Trial:
    """One sandbox in which attack after attack is graded.

    Args:
        start: makes the sandbox, and another one where an attack has hurt it.
        sealed: no file can be opened, so that a submission whose imports were not loaded before is invalid.
        task: the exercise that is attacked.
        before: right answers that are graded before each attack; after two of them it is asked ahead what it will be
            asked.
    """

    def __init__(
        self,
        ground: Ground,
        start: Callable[[], Sandbox],
        *,
        sealed: bool = False,
        task: Task = CONCAT,
        before: int = 0,
    ) -> None:
        self._ground = ground
        self._task = task
        self._exercise = ground.course.exercises[task.exercise]
        self._start = start
        self._sealed = sealed
        self._before = before
        self.sandbox = start()
        self.zeros = self._points_of_zeros()

    def close(self) -> None:
        self.sandbox.close()

    def problems(self, attack: Attack) -> list[str]:
        """Everything in which the grader did not hold against this attack; empty where it held."""
        path = self._ground.hand_in(attack.filename, attack.source(self._ground.places) + self._task.added)
        self._ground.settle()
        limits = HASTY if attack.verdicts[0] == "time_limit" else PATIENT
        found: list[str] = []
        try:
            with _deadline(9 * limits.wall_s + 10):
                reports = self._grade(path, attack, limits)
                found += self._judged(attack, reports[-2])
            if reports[-1].verdict != "accepted":
                found.append(f"after it a right answer was {reports[-1].verdict}: {reports[-1].reason}")
        except SubmissionError as refused:
            if "refused" not in attack.verdicts:
                found.append(f"it was refused: {refused}")
        except (GraderError, TimeoutError) as error:
            found.append(f"the grader broke: {error}")
        found += self._ground.traces()
        if found:
            self._renew()
        return list(dict.fromkeys(found))

    def _grade(self, path: Path, attack: Attack, limits: Limits) -> list[GradeReport]:
        attacking, right = read_submission(path, self._exercise, attack.name), self._submission(self._task.right)
        return self.grade([right] * self._before + [attacking, right], limits)

    def grade(self, submissions: list[Submission], limits: Limits = PATIENT) -> list[GradeReport]:
        """The reports, by the real grader on the real exercise, under limits of the tests' own."""
        exercise = dataclasses.replace(self._exercise, limits=limits)
        reports: list[GradeReport] = []
        grade_all(self._ground.course, exercise, submissions, reports.append, sandbox=self.sandbox)
        return reports

    def _points_of_zeros(self) -> float:
        return self.grade([self._submission(self._task.zeros)])[0].points

    def _submission(self, source: bytes) -> Submission:
        """A submission of the tests' own, which lies in no folder."""
        return Submission("honest", self._exercise.name, f"{self._exercise.module}.py", source, "0" * 64)

    def _renew(self) -> None:
        self.sandbox.close()
        self.sandbox = self._start()
        assert self.sandbox.isolation
        self._ground.settle()

    def _judged(self, attack: Attack, report: GradeReport) -> list[str]:
        if self._sealed and _is_import_failure(report):
            attack = dataclasses.replace(attack, verdicts=("invalid",), points="none", says=frozenset())
        found = []
        if str(report.verdict) not in attack.verdicts:
            found.append(f"the verdict is {report.verdict}, not {' or '.join(attack.verdicts)}: {_why(report)}")
        most = {"none": 0.0, "as zeros": self.zeros}.get(attack.points, report.max_points)
        least = report.max_points if attack.points == "all" else 0.0
        if not least <= report.points <= most:
            found.append(f"it got {report.points:g} points, expected {least:g} to {most:g}")
        if attack.says and not attack.says & {failure.message.key for failure in failures(report)}:
            found.append(f"it is told {_why(report)}, nothing of {' or '.join(sorted(attack.says))}")
        found += [line for line in report.printed.text.splitlines() if line.startswith(("breach:", "rotten:"))]
        shown = forms(report, self._ground.course)
        return [*found, *faults(shown), *self._ground.leaks("\n".join(shown.values()))]


def failures(report: GradeReport) -> list[CaseFailure]:
    """Everything that a report says went wrong."""
    reason = [report.reason] if report.reason is not None else []
    return [*reason, *(failure for check in report.checks for failure in check.failures)]


def _is_import_failure(report: GradeReport) -> bool:
    return report.reason is not None and "import" in report.reason.message.key


def _why(report: GradeReport) -> str:
    told = {f"{failure.message.key} {dict(failure.message.fields)}" for failure in failures(report)}
    return " and ".join(sorted(told))[:600] or "nothing"


@contextlib.contextmanager
def _deadline(seconds: float) -> Iterator[None]:
    """Raises TimeoutError in here after so many seconds: the grader, not the submission, took too long."""

    def ring(_number: int, _frame: object) -> None:
        raise TimeoutError(f"grading took more than {seconds:g} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
