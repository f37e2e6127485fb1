"""What is known of one submission while it is graded, and the verdict that follows from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from grader.judge.fate import Fate
from grader.model import CaseFailure, CheckResult, Diagnosis, Drawn, Message, Outcome, Printed, Verdict
from grader.sandbox.client import LoadFailed


@dataclass
class Facts:
    """All that is known of one submission while it is graded."""

    checks: list[CheckResult] = field(default_factory=list)
    fates: list[Fate] = field(default_factory=list)
    empty: bool = False
    load_failure: LoadFailed | None = None
    faults: list[BaseException] = field(default_factory=list)
    diagnosis: Diagnosis | None = None
    printed: Printed = field(default_factory=Printed)
    figures: tuple[Drawn, ...] = ()
    reached: tuple[str, ...] = ()

    @property
    def not_attempted(self) -> bool:
        return self.empty or self._nothing_but("not_written")

    @property
    def answered(self) -> bool:
        """Whether anything of the file ran to an answer, right or wrong."""
        passed = any(check.outcome is Outcome.PASSED for check in self.checks)
        return not self.not_attempted and (passed or any(fate.is_answer for fate in self.fates))

    @property
    def nothing_defined(self) -> bool:
        """Whether every check failed because the function it needs is not there."""
        return self._nothing_but("missing")

    def _nothing_but(self, kind: Literal["not_written", "missing"]) -> bool:
        passed = any(check.outcome is Outcome.PASSED for check in self.checks)
        return not passed and bool(self.fates) and all(getattr(fate, kind) for fate in self.fates)

    @property
    def load_verdict(self) -> Verdict | None:
        return self.load_failure.verdict if self.load_failure else None

    @property
    def reason(self) -> CaseFailure | None:
        """Why nothing could be checked."""
        if self.faults:
            return CaseFailure("", Message("checks.grader_fault"))
        if self.load_failure is not None:
            return self.load_failure.failure
        if self.empty:
            return CaseFailure("", Message("checks.empty_file"))
        return self.fates[0].failure if self.nothing_defined else None


def verdict_of(facts: Facts) -> Verdict:
    """The first row that holds."""
    stopped = {fate.stopped for fate in facts.fates}
    scoring = [check.outcome is Outcome.PASSED for check in facts.checks if check.max_points > 0]
    table = (
        (bool(facts.faults), Verdict.GRADER_ERROR),
        (facts.not_attempted, Verdict.NOT_ATTEMPTED),
        (facts.load_verdict is not None, facts.load_verdict or Verdict.INVALID),
        (facts.nothing_defined, Verdict.INVALID),
        (all(scoring), Verdict.ACCEPTED),
        (any(scoring), Verdict.PARTLY),
        (Verdict.MEMORY_LIMIT in stopped, Verdict.MEMORY_LIMIT),
        (Verdict.OUTPUT_LIMIT in stopped, Verdict.OUTPUT_LIMIT),
        (Verdict.TIME_LIMIT in stopped, Verdict.TIME_LIMIT),
        (Verdict.CRASHED in stopped, Verdict.CRASHED),
        (True, Verdict.WRONG),
    )
    return next(verdict for holds, verdict in table if holds)
