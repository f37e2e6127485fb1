"""What becomes of a submission that stops, stalls, floods, does not load or is not written."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from grader import texts
from grader.model import DiagnosisKind, GradeReport, Outcome, Verdict

if TYPE_CHECKING:
    from conftest import Bench

RIGHT = "def concat_heads(x):\n    return x.transpose(1, 0, 2).reshape(x.shape[1], -1)\n"

# one check for each of two functions
TWO_NAMES = """\
import pytest
from grader.checks import assert_close

@pytest.mark.points(1)
def test_first(submission):
    assert_close(submission.first(1), 1)

@pytest.mark.points(1)
def test_second(submission):
    assert_close(submission.second(1), 1)
"""


def outcomes(report: GradeReport) -> list[Outcome]:
    return [check.outcome for check in report.checks]


def sentence(report: GradeReport, check: int = 0) -> str:
    return texts.say(report.checks[check].failures[0].message, "en")


@pytest.fixture
def hasty(bench: Bench) -> Bench:
    """The same course with a limit that a loop meets soon."""
    return replace(bench, wall_s=0.5)


# --- limits ------------------------------------------------------------------------------------------------------


def test_a_hanging_check_takes_its_other_cases_along_and_no_other_check(hasty: Bench) -> None:
    """A check that hangs is a timeout after its first case; the checks before and after it keep their results."""
    report = hasty.grade(
        "def concat_heads(x):\n    while x.shape[2] == 6 and x.shape[0] == 3 and x[0, 0, 0] == x[0, 0, 0] and called:\n"
        "        pass\n    called.append(1)\n    return x.transpose(1, 0, 2).reshape(x.shape[1], -1)\n\ncalled = []\n"
    )
    assert outcomes(report) == [Outcome.PASSED, Outcome.TIMEOUT, Outcome.PASSED]
    assert (report.verdict, report.points, report.checks[1].cases) == (Verdict.PARTLY, 2.0, 1)
    assert report.checks[1].failures[0].line in (2, 3)
    assert report.diagnosis.kind is DiagnosisKind.NOT_RUN


def test_checks_after_the_budget_are_not_run(hasty: Bench) -> None:
    """A submission has three times the time of a check; what is left after that has not run, and did not pass."""
    checks = "".join(
        f"\n@pytest.mark.points(1)\ndef test_{i}(submission):\n    assert submission.concat_heads(1)\n"
        for i in range(5)
    )
    hasty.write_suite(f"import pytest\n{checks}")
    report = hasty.grade("def concat_heads(x):\n    while True:\n        pass\n")
    assert outcomes(report)[:2] == [Outcome.TIMEOUT] * 2
    assert outcomes(report)[-1] is Outcome.NOT_RUN
    assert report.checks[-1].cases == 0
    assert "earlier checks used up" in sentence(report, -1)
    assert (report.verdict, report.points) == (Verdict.TIME_LIMIT, 0.0)


@pytest.mark.parametrize(
    ("body", "verdict", "outcome"),
    [
        ("import os; os._exit(0)", Verdict.CRASHED, Outcome.ERROR),
        ("return bytearray(2**40)", Verdict.MEMORY_LIMIT, Outcome.ERROR),
        ("print('x' * 2**21)", Verdict.OUTPUT_LIMIT, Outcome.ERROR),
        ("import time; time.sleep(60)", Verdict.TIME_LIMIT, Outcome.TIMEOUT),
        ("import sys; sys.exit(0)", Verdict.WRONG, Outcome.ERROR),
    ],
)
def test_a_lost_worker_is_the_submissions_loss(hasty: Bench, body: str, verdict: Verdict, outcome: Outcome) -> None:
    """A worker that ends, hoards, floods or sleeps gives the verdict of that limit and never a point."""
    report = hasty.grade(f"def concat_heads(x):\n    {body}\n")
    assert (report.verdict, report.points) == (verdict, 0.0)
    assert report.checks[0].outcome is outcome
    assert replace(hasty, wall_s=5.0).grade(RIGHT).verdict is Verdict.ACCEPTED


def test_memory_comes_before_output_before_time_before_crash(hasty: Bench) -> None:
    """Where checks were lost in several ways, the verdict is the first of a fixed order."""
    hasty.write_suite(TWO_NAMES)
    ways = {
        Verdict.MEMORY_LIMIT: "bytearray(2**40)",
        Verdict.OUTPUT_LIMIT: "print('x' * 2**21)",
        Verdict.TIME_LIMIT: "__import__('time').sleep(60)",
        Verdict.CRASHED: "__import__('os')._exit(3)",
        Verdict.WRONG: "2",
    }
    bodies = list(ways.values())
    for verdict, worse, milder in zip(ways, bodies, bodies[1:], strict=False):
        report = hasty.grade(f"def first(x):\n    return {milder}\n\ndef second(x):\n    return {worse}\n")
        assert report.verdict is verdict


# --- not attempted, not loaded, missing --------------------------------------------------------------------------


@pytest.mark.parametrize("source", ["", "# only a comment\n", '"""Only a docstring."""\n'])
def test_an_empty_file_is_not_attempted(bench: Bench, source: str) -> None:
    """A file without a statement is not attempted, and no check has run."""
    report = bench.grade(source)
    assert report.verdict is Verdict.NOT_ATTEMPTED
    assert outcomes(report) == [Outcome.NOT_RUN] * 3
    assert report.reason is not None
    assert texts.say(report.reason.message, "en") == "There is no code in the file yet."


def test_the_starter_is_not_attempted(bench: Bench) -> None:
    """NotImplementedError everywhere is not attempted: calm words, no mistake, one case for each check."""
    report = bench.grade('def concat_heads(heads):\n    """Task."""\n    # TODO\n    raise NotImplementedError\n')
    assert report.verdict is Verdict.NOT_ATTEMPTED
    assert sentence(report) == "Not written yet: it still raises NotImplementedError."
    assert [len(check.failures) for check in report.checks] == [1, 1, 1]
    assert report.diagnosis.kind is DiagnosisKind.NOT_RUN
    assert report.reason is None


def test_one_function_of_two_is_partly(bench: Bench) -> None:
    """What is written counts; a function that is still the starter's says so calmly."""
    bench.write_suite(TWO_NAMES)
    report = bench.grade("def first(x):\n    return x\n\ndef second(x):\n    raise NotImplementedError\n")
    assert (report.verdict, report.points) == (Verdict.PARTLY, 1.0)
    assert sentence(report, 1) == "Not written yet: it still raises NotImplementedError."


def test_a_wrong_function_beside_an_unwritten_one_was_attempted(bench: Bench) -> None:
    """One wrong answer is enough for an attempt."""
    bench.write_suite(TWO_NAMES)
    report = bench.grade("def first(x):\n    return 2\n\ndef second(x):\n    raise NotImplementedError\n")
    assert report.verdict is Verdict.WRONG


def test_a_not_implemented_error_that_is_computed_was_attempted(bench: Bench) -> None:
    """A NotImplementedError from inside a library, on a line that raises nothing itself, is an error like others."""
    report = bench.grade("import logging\n\ndef concat_heads(x):\n    return logging.Handler().emit(x)\n")
    assert report.verdict is Verdict.WRONG


@pytest.mark.parametrize(
    ("source", "verdict"),
    [
        ("def concat_heads(:\n", Verdict.INVALID),
        ("import requests\n", Verdict.INVALID),
        ("1 / 0\n", Verdict.CRASHED),
    ],
)
def test_a_file_that_does_not_load_runs_no_check(bench: Bench, source: str, verdict: Verdict) -> None:
    """The reason stands once, every check is not run, and nothing is diagnosed."""
    report = bench.grade(source)
    assert (report.verdict, report.points) == (verdict, 0.0)
    assert outcomes(report) == [Outcome.NOT_RUN] * 3
    assert report.reason is not None
    assert report.reason.line == 1
    assert report.diagnosis.kind is DiagnosisKind.NOT_RUN


def test_a_file_that_never_ends_loading_meets_the_time_limit(hasty: Bench) -> None:
    """A loop on module level is stopped, and told once for all checks."""
    report = hasty.grade("while True:\n    pass\n")
    assert (report.verdict, outcomes(report)) == (Verdict.TIME_LIMIT, [Outcome.NOT_RUN] * 3)
    assert report.reason is not None


@pytest.mark.parametrize("source", ["def concat_head(x):\n    return x\n", RIGHT + "concat_heads = None\n"])
def test_a_missing_function_fails_the_checks_that_need_it(bench: Bench, source: str) -> None:
    """A renamed or overwritten function fails each check with its name; with none left the file is invalid."""
    report = bench.grade(source)
    assert outcomes(report) == [Outcome.FAILED] * 3
    assert sentence(report).startswith("The file defines no concat_heads")
    assert report.verdict is Verdict.INVALID
    assert report.reason == report.checks[0].failures[0]


def test_one_missing_function_leaves_the_other_its_points(bench: Bench) -> None:
    """A file that lacks one of two functions is graded on the other."""
    bench.write_suite(TWO_NAMES)
    report = bench.grade("def first(x):\n    return x\n")
    assert (report.verdict, report.points) == (Verdict.PARTLY, 1.0)
    assert sentence(report, 1) == "The file defines no second. Keep the name and arguments of the starter."
