"""Grades submissions: one hidden suite, collected once, over as many submissions as there are, one report for each.

    for each submission:  a worker --> load --> checks, in the order of the suite --> diagnosis --> report

What an exception means for one case is said by `fate_of`, what all of them mean for a submission by the table in
judge/verdict.py. A fault of the grader or the course costs nobody a point: the report says `grader_error`, the other
submissions are graded, and then a `GraderError` tells the operator.
"""

from __future__ import annotations

import hashlib
import math
import sys
from collections.abc import Callable, Iterable
from functools import cache, partial
from typing import TYPE_CHECKING

from grader.course import Course, load_module
from grader.errors import ContentError, GraderError
from grader.judge.fate import Fate, fate_of
from grader.judge.foreseen import Foreseen
from grader.judge.verdict import Facts, verdict_of
from grader.model import (
    CaseFailure,
    CheckResult,
    Diagnosis,
    DiagnosisKind,
    Exercise,
    GradeReport,
    Outcome,
    Provenance,
    Submission,
)
from grader.sandbox.client import LoadFailed, RemoteSubject, Sandbox

if TYPE_CHECKING:
    from grader.diagnosis.signature import Signature
    from grader.judge.figures import Figures
    from grader.judge.plugin import Case, Check, Suite

SEEDS = 8  # few enough that what our code does with the fresh probes of each is soon remembered

# The outcome of a check is the first of these that one of its cases had.
_OUTCOMES = (Outcome.TIMEOUT, Outcome.ERROR, Outcome.FAILED, Outcome.NOT_RUN)


# --- the two entrances -------------------------------------------------------------------------------------------


def grade_all(
    course: Course,
    exercise: Exercise,
    submissions: Iterable[Submission],
    on_report: Callable[[GradeReport], None],
    *,
    sandbox: Sandbox,
    seed: int | None = None,
    figures: bool = False,
    collect: Callable[[Signature], None] = lambda _signature: None,
) -> None:
    """Grade submissions for one exercise and hand over each report as soon as it is made.

    Args:
        on_report: called once for each submission, in order; what it raises ends the grading and comes out of here.
        seed: for the random probes of the diagnosis; left out, one of `SEEDS`, by the hash of each submission.
        figures: also ask for what the figures of a page show.
        collect: called with the behaviour of each wrong submission that no mistake explains.

    Raises:
        ContentError: the hidden suite, the reference, mistakes.py or exercise.toml is at fault; nothing is graded.
        GraderError: some report said `grader_error`; raised after the last report, with the first cause as its own.
    """
    from grader.judge.plugin import with_suite  # noqa: PLC0415 - pytest is only needed where something is graded

    faults: list[BaseException] = []

    def use(suite: Suite) -> None:
        grading = _Grading(course, exercise, suite, sandbox, seed, figures=figures, collect=collect)
        for submission in submissions:
            report, new_faults = grading.grade(submission)
            faults.extend(new_faults)
            on_report(report)

    with_suite(exercise, use)
    if faults:
        found = f"{len(faults)} x a fault of the grader or the course, first {type(faults[0]).__name__}: {faults[0]}"
        raise GraderError(f"{exercise.name}: {found}") from faults[0]


def grade_one(
    course: Course, exercise: Exercise, submission: Submission, *, sandbox: Sandbox, seed: int | None = None
) -> GradeReport:
    """The report for one submission; raises as `grade_all` does."""
    reports: list[GradeReport] = []
    grade_all(course, exercise, [submission], reports.append, sandbox=sandbox, seed=seed)
    return reports[0]


# --- one submission ----------------------------------------------------------------------------------------------


class _Grading:
    """What stays the same from one submission to the next."""

    def __init__(
        self,
        course: Course,
        exercise: Exercise,
        suite: Suite,
        sandbox: Sandbox,
        seed: int | None,
        *,
        figures: bool,
        collect: Callable[[Signature], None],
    ) -> None:
        self._course = course
        self._exercise = exercise
        self._suite = suite
        self._sandbox = sandbox
        self._seed = seed
        self._suite_sha256 = suite_sha256(exercise)
        self._possible = _possible(exercise)
        self._collect = collect
        self._isolation = sandbox.isolation
        self._foreseen = Foreseen()
        self._figures = _figures(exercise) if figures and exercise.figures else None

    def grade(self, submission: Submission) -> tuple[GradeReport, list[BaseException]]:
        """The report, and the faults that it must not be blamed for."""
        facts = Facts()
        seed = int(submission.sha256[:8], 16) % SEEDS if self._seed is None else self._seed
        try:
            subject = self._sandbox.open(submission.source, self._exercise.filename, self._exercise.limits)
            try:
                self._fill(facts, subject, seed)
                facts.printed, facts.reached = subject.printed, tuple(subject.reached)
                if self._figures is not None and facts.answered:  # what is printed meanwhile has been printed before
                    self._draw(facts, self._figures, subject)
            finally:
                subject.close()
        except ContentError:
            raise
        except Exception as error:  # noqa: BLE001 - a sandbox that fails is the operator's matter, for this report only
            facts.faults.append(error)
        self._fill_up(facts)
        return self._report(submission, facts, seed), facts.faults

    def _fill(self, facts: Facts, subject: RemoteSubject, seed: int) -> None:
        try:
            subject.load()
        except LoadFailed as failed:
            facts.load_failure = failed
            return
        facts.empty = subject.empty
        if facts.empty:
            return
        for check in self._suite.checks:
            self._run_check(facts, check, subject)
        if not facts.not_attempted and any(fate.is_answer for fate in facts.fates):
            facts.diagnosis = self._diagnosis(facts, subject, seed)

    def _draw(self, facts: Facts, figures: Figures, subject: RemoteSubject) -> None:
        try:
            facts.figures = figures.drawn(subject)
        except Exception as error:  # noqa: BLE001 - as for the diagnosis
            facts.faults.append(error)

    def _run_check(self, facts: Facts, check: Check, subject: RemoteSubject) -> None:
        subject.begin_check()
        subject.ask_ahead(self._foreseen.requests(check.name), only_after_values=True)
        fates: list[Fate] = []
        ran = 0
        for number, case in enumerate(check.cases):
            fate = self._foreseen.fate(check.name, number, subject, partial(self._judge, check, case, subject))
            ran += 1
            if fate is not None:
                fates.append(fate)
                if fate.ends_check:
                    break
        outcomes = [fate.outcome for fate in fates]
        outcome = next((outcome for outcome in _OUTCOMES if outcome in outcomes), Outcome.PASSED)
        ran -= outcomes.count(Outcome.NOT_RUN)
        if outcome is Outcome.PASSED:
            self._foreseen.learn(check.name, len(check.cases), subject.asked)
        facts.fates.extend(fates)
        facts.faults.extend(fate.fault for fate in fates if fate.fault is not None)
        facts.checks.append(self._result(check, outcome, ran, tuple(fate.failure for fate in fates)))

    def _judge(self, check: Check, case: Case, subject: RemoteSubject) -> Fate | None:
        """Run one case; None where it passes."""
        answers = subject.answers
        error = self._suite.run(case, subject)
        if error is None and subject.answers > answers:
            return None
        if error is None:  # passed on no evidence, such as a lost worker caught by `pytest.raises(Exception)`
            error = ContentError(f"{self._exercise.suite.name}: {check.name} passes without an answer; mend it")
        return fate_of(case.label, error)

    def _result(
        self, check: Check, outcome: Outcome, ran: int = 0, failures: tuple[CaseFailure, ...] = ()
    ) -> CheckResult:
        points = check.points if outcome is Outcome.PASSED else 0.0
        rule = self._exercise.rules[check.name]
        return CheckResult(check.name, rule, outcome, points, check.points, ran, failures)

    def _fill_up(self, facts: Facts) -> None:
        """Every check of the manifest has a result: those that were not reached have not run."""
        for check in self._suite.checks[len(facts.checks) :]:
            facts.checks.append(self._result(check, Outcome.NOT_RUN))

    def _diagnosis(self, facts: Facts, subject: RemoteSubject, seed: int) -> Diagnosis | None:
        from grader.diagnosis.engine import diagnose  # noqa: PLC0415 - only for what is wrong

        try:
            return diagnose(self._course, self._exercise, subject, seed, collect=self._collect)
        except Exception as error:  # noqa: BLE001 - the points are known by now; a fault of ours must not lose them
            facts.faults.append(error)
            return None

    def _report(self, submission: Submission, facts: Facts, seed: int) -> GradeReport:
        right = all(check.outcome is Outcome.PASSED for check in facts.checks)
        kind = DiagnosisKind.RIGHT if right else DiagnosisKind.NOT_RUN
        return GradeReport(
            exercise=self._exercise.name,
            title=self._exercise.title,
            who=submission.who,
            filename=submission.filename,
            verdict=verdict_of(facts),
            points=_total(check.points for check in facts.checks),
            max_points=_total(check.max_points for check in facts.checks),
            checks=tuple(facts.checks),
            diagnosis=facts.diagnosis or Diagnosis(kind, possible=self._possible),
            printed=facts.printed,
            provenance=self._provenance(submission, seed),
            reason=facts.reason,
            figures=facts.figures,
            reached=facts.reached,
        )

    def _provenance(self, submission: Submission, seed: int) -> Provenance:
        return Provenance(
            grader=version_of("manyheads"),
            python=".".join(map(str, sys.version_info[:3])),
            numpy=version_of("numpy"),
            torch=version_of("torch") if "torch" in self._exercise.packages else None,
            pytest=version_of("pytest"),
            suite_sha256=self._suite_sha256,
            submission_sha256=submission.sha256,
            seed=seed,
            isolation=self._isolation,
        )


def _figures(exercise: Exercise) -> Figures:
    from grader.judge.figures import Figures  # noqa: PLC0415 - only where an exercise has some

    return Figures(exercise)


def _total(points: Iterable[float]) -> float:
    """0.3 for 0.1 and 0.2."""
    return round(math.fsum(points), 9)


# --- provenance --------------------------------------------------------------------------------------------------


@cache
def version_of(distribution: str) -> str:
    """The version that is installed, "unreleased" where none is."""
    from importlib import metadata  # noqa: PLC0415 - slow to import, and pytest has done so by then

    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "unreleased"


def suite_sha256(exercise: Exercise) -> str:
    """Hash of everything that decides about points or names a mistake."""
    digest = hashlib.sha256()
    others = (exercise.solution / name for name in ("mistakes.py", "probes.lock.json"))
    for path in (exercise.suite, exercise.reference, *others):
        if path.is_file():
            source = path.read_bytes()
            digest.update(f"{path.name} {len(source)}\n".encode())
            digest.update(source)
    return digest.hexdigest()


def _possible(exercise: Exercise) -> tuple[str, ...]:
    """Slugs of the mistakes that can occur in this exercise."""
    path = exercise.solution / "mistakes.py"
    return tuple(load_module(path).MISTAKES) if path.is_file() else ()
