"""Runs a hidden suite over mistakes and mutants, and keeps the checks that each of them fails."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Generic, Literal, TypeVar

import numpy as np

from grader.errors import GraderError
from grader.judge.fate import fate_of
from grader.judge.plugin import Check, Suite, with_suite
from grader.model import Exercise
from grader.sandbox.client import LoadFailed, RemoteSubject, Subject

Key = TypeVar("Key")

ENOUGH = 2  # checks that fail: it is caught, and not by one check alone
_Outcome = Literal["passed", "failed", "stopped"]


@dataclass
class Ran(Generic[Key]):
    """What became of everything that was run.

    Attributes:
        checks: names of the checks, in the order of the suite.
        failed: the first checks that each of them fails, `ENOUGH` at most; all checks where it does not load or loses
            its worker, since what it would do to the others is not worth the time of finding out.
        faults: a check, and what it raised on our side over an answer.
    """

    checks: tuple[str, ...] = ()
    failed: dict[Key, frozenset[str]] = field(default_factory=dict)
    faults: dict[str, str] = field(default_factory=dict)


def run_suite(exercise: Exercise, subjects: Iterable[tuple[Key, Subject]]) -> Ran[Key]:
    """Run every check over every subject, and close it; raises as `with_suite` does.

    Args:
        subjects: each under the key by which it is known; they are taken one after the other.
    """
    ran: Ran[Key] = Ran()

    def use(suite: Suite) -> None:
        ran.checks = tuple(check.name for check in suite.checks)
        for key, subject in subjects:
            ran.failed[key] = _failed_of_opened(suite, subject, ran.faults)

    with_suite(exercise, use)
    return ran


def _failed_of_opened(suite: Suite, subject: Subject, faults: dict[str, str]) -> frozenset[str]:
    if not isinstance(subject, RemoteSubject):
        with np.errstate(all="ignore"):  # overflow and 0/0 are what some mistakes are about
            return _failed(suite, subject, faults)
    try:
        subject.load()
        return _failed(suite, subject, faults)
    except LoadFailed:
        return frozenset(check.name for check in suite.checks)
    finally:
        subject.close()


def _failed(suite: Suite, subject: Subject, faults: dict[str, str]) -> frozenset[str]:
    failed: list[str] = []
    for check in suite.checks:
        outcome = _outcome(suite, check, subject, faults)
        if outcome == "stopped":
            return frozenset(each.name for each in suite.checks)
        if outcome == "failed":
            failed.append(check.name)
        if len(failed) == ENOUGH:
            break
    return frozenset(failed)


def _outcome(suite: Suite, check: Check, subject: Subject, faults: dict[str, str]) -> _Outcome:
    """How a check ends; "stopped" where the worker was lost."""
    subject.begin_check()
    for case in check.cases:
        error = suite.run(case, subject)
        if error is None:
            continue
        fate = fate_of(case.label, error)
        if isinstance(fate.fault, GraderError):
            raise fate.fault
        if fate.fault is not None:
            faults.setdefault(check.name, f"{type(fate.fault).__name__}: {fate.fault}")
        return "failed" if fate.stopped is None else "stopped"
    return "passed"
