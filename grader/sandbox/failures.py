"""Why a submission gave no answer: what its subjects raise."""

from __future__ import annotations

import difflib

from grader.errors import SubmissionError
from grader.model import CaseFailure, Message, Verdict
from grader.sandbox import sentences, wire


class Raised(SubmissionError):
    """The submission raised an exception."""

    def __init__(self, report: wire.ExceptionReport) -> None:
        super().__init__(sentences.raised(report))
        self.report = report

    @property
    def not_written(self) -> bool:
        """Whether this is the starter's own `raise NotImplementedError`."""
        return sentences.is_not_written(self.report)


class Unsendable(SubmissionError):
    """The submission answered with something too large, too deep or too long for the wire."""

    def __init__(self, why: str) -> None:
        super().__init__(Message("sandbox.unsendable", {"why": why}))


class MissingName(SubmissionError):
    """The submission defines no function or class of this name; maybe only the first part of a dotted one."""

    def __init__(self, name: str, defined: tuple[str, ...]) -> None:
        first = name.partition(".")[0]
        if defined and first not in defined:
            name = first
        others = [other for other in defined if other != first]  # it may have been there when the file was loaded
        similar = difflib.get_close_matches(name, others, n=1, cutoff=0.5)
        fields = {"name": name, "similar": similar[0]} if similar else {"name": name}
        super().__init__(Message("sandbox.missing_name_similar" if similar else "sandbox.missing_name", fields))
        self.name = name


class Stopped(SubmissionError):
    """The worker was lost, or there was no time left to start one."""

    def __init__(self, reason: sentences.Reason, message: Message, report: wire.ExceptionReport | None = None) -> None:
        super().__init__(message)
        self.reason: sentences.Reason = reason
        self.report = report  # where it was, as far as known

    @property
    def verdict(self) -> Verdict:
        """What a submission is that ends like this."""
        return sentences.VERDICTS[self.reason]


class LoadFailed(SubmissionError):
    """The file could not be loaded; nothing in it can be asked."""

    def __init__(self, verdict: Verdict, failure: CaseFailure) -> None:
        super().__init__(failure.message)
        self.verdict = verdict
        self.failure = failure


def nonsense() -> Stopped:
    """What came back has no meaning."""
    return Stopped("nonsense", Message("sandbox.nonsense"))
