"""Says what an exception that ended a case means: the submission's answer, the submission's end, or a fault of ours."""

from __future__ import annotations

from dataclasses import dataclass

from grader.checks import CheckFailure
from grader.errors import SubmissionError
from grader.model import CaseFailure, Message, Outcome, Verdict
from grader.sandbox.client import LoadFailed, MissingName, Raised, Stopped

_OUTCOMES = {"time_limit": Outcome.TIMEOUT, "not_run": Outcome.NOT_RUN}


@dataclass(frozen=True)
class Fate:
    """What became of one case that did not pass.

    Attributes:
        ends_check: the other cases of the check would end the same way, or cost a worker each.
        not_written: the starter's own NotImplementedError.
        missing: the file defines no such function or class.
        stopped: the verdict that goes with a lost worker; None where the submission answered or had no time left.
        fault: the exception, where it is the grader's or the course's.
    """

    outcome: Outcome
    failure: CaseFailure
    ends_check: bool = False
    not_written: bool = False
    missing: bool = False
    stopped: Verdict | None = None
    fault: BaseException | None = None

    @property
    def is_answer(self) -> bool:
        """Whether the submission gave an answer, a wrong one, that a mistake may explain."""
        answered = self.outcome in (Outcome.FAILED, Outcome.ERROR) and self.stopped is None
        return answered and not self.missing and not self.not_written

    @property
    def is_by_reply(self) -> bool:
        """Whether nothing but the reply decides it: neither the process behind it, nor what else the file defines."""
        return self.stopped is None and self.fault is None and not self.missing and self.outcome is not Outcome.NOT_RUN


def fate_of(case: str, error: BaseException) -> Fate:
    """The fate of the case with this label that ended with `error`."""
    if isinstance(error, Stopped | LoadFailed):
        return _lost(case, error)
    if isinstance(error, Raised):
        not_written = error.not_written
        failure = _failure(case, error.message, error)
        return Fate(Outcome.ERROR, failure, ends_check=not_written, not_written=not_written)
    if isinstance(error, CheckFailure):
        return Fate(Outcome.FAILED, _failure(case, error.message, error.__cause__))
    if isinstance(error, SubmissionError):
        missing = isinstance(error, MissingName)
        return Fate(Outcome.FAILED, CaseFailure(case, error.message), ends_check=missing, missing=missing)
    if isinstance(error, AssertionError):  # a bare assert: its text is the hidden suite's
        return Fate(Outcome.FAILED, CaseFailure(case, Message("checks.rule_broken")))
    return Fate(Outcome.NOT_RUN, CaseFailure(case, Message("checks.grader_fault")), ends_check=True, fault=error)


def _lost(case: str, error: Stopped | LoadFailed) -> Fate:
    if isinstance(error, LoadFailed):  # the file loaded at first, and not for a fresh worker
        outcome = Outcome.TIMEOUT if error.verdict is Verdict.TIME_LIMIT else Outcome.ERROR
        failure = CaseFailure(case, error.message, error.failure.line, error.failure.code)
        return Fate(outcome, failure, ends_check=True, stopped=error.verdict)
    line, code = (error.report.line, error.report.code) if error.report else (None, "")
    outcome = _OUTCOMES.get(error.reason, Outcome.ERROR)
    failure = CaseFailure(case, error.message, line, code)
    return Fate(outcome, failure, ends_check=True, stopped=None if error.reason == "not_run" else error.verdict)


def _failure(case: str, message: Message, raised: BaseException | None) -> CaseFailure:
    """With the student's line and what the exception means, where one of theirs lies behind it."""
    if not isinstance(raised, Raised):
        return CaseFailure(case, message)
    from grader.diagnosis.exceptions import explain  # noqa: PLC0415 - only for what is wrong

    report = raised.report
    explanation = None if raised.not_written else explain(report)
    return CaseFailure(case, message, report.line, report.code, explanation, report.traceback)
