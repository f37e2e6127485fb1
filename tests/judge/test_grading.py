"""Grading through the real sandbox: outcomes, verdicts, faults, and what a report must not contain."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from grader import texts
from grader.errors import GraderError
from grader.judge.grading import SEEDS, grade_all
from grader.model import DiagnosisKind, GradeReport, Outcome, Submission, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conftest import Bench

RIGHT = "def concat_heads(x):\n    return x.transpose(1, 0, 2).reshape(x.shape[1], -1)\n"
WRONG = "def concat_heads(x):\n    return x.reshape(x.shape[1], -1)\n"


def outcomes(report: GradeReport) -> list[Outcome]:
    return [check.outcome for check in report.checks]


def sentence(report: GradeReport, check: int = 0) -> str:
    return texts.say(report.checks[check].failures[0].message, "en")


# --- outcomes and points -----------------------------------------------------------------------------------------


def test_a_right_submission_is_accepted(bench: Bench) -> None:
    """Every check passes, every case ran, all points are given and no mistake is looked for."""
    report = bench.grade(RIGHT)
    assert (report.verdict, report.points, report.max_points) == (Verdict.ACCEPTED, 4.0, 4.0)
    assert [(check.name, check.outcome, check.cases) for check in report.checks] == [
        ("test_shape", Outcome.PASSED, 1),
        ("test_columns", Outcome.PASSED, 2),
        ("test_argument", Outcome.PASSED, 1),
    ]
    assert report.diagnosis.kind is DiagnosisKind.RIGHT
    assert report.reason is None


def test_points_are_all_or_nothing_for_a_check(bench: Bench) -> None:
    """A check of which one case fails gives nothing; the others keep their points, and the verdict is partly."""
    report = bench.grade(RIGHT.replace("-1)", "-1) + (x.shape == (2, 7, 3))"))
    assert (report.verdict, report.points) == (Verdict.PARTLY, 2.0)
    columns = report.checks[1]
    assert (columns.outcome, columns.points, columns.cases) == (Outcome.FAILED, 0.0, 2)
    assert [failure.case for failure in columns.failures] == ["h=2, L=7, d=3"]
    assert sentence(report, 1).startswith("Wrong: 42 of 42 numbers. The first is at index [0,0] (L, d_model):")


def test_an_exception_is_an_error_with_the_students_line(bench: Bench) -> None:
    """An exception of the submission is told with its line, and the other checks still run."""
    report = bench.grade("def concat_heads(x):\n    return x @ x\n")
    assert outcomes(report) == [Outcome.ERROR] * 3
    failure = report.checks[0].failures[0]
    assert (failure.line, failure.code) == (2, "return x @ x")
    assert sentence(report).startswith("Your code raised ValueError: matmul")
    assert 'File "concat.py", line 2' in failure.traceback
    assert failure.explanation is not None
    assert report.verdict is Verdict.WRONG


def test_a_bare_assertion_shows_only_the_rule(bench: Bench) -> None:
    """What a hidden suite asserts stays hidden: the student reads the rule, no line and no literal of the suite."""
    bench.write_suite(
        "import pytest\n"
        "\n@pytest.mark.points(1)\ndef test_secret(submission):\n"
        "    assert submission.concat_heads(1) == 271828, 'the secret is 271828'\n"
        "\n@pytest.mark.points(1)\ndef test_fail(submission):\n"
        "    submission.concat_heads(1)\n    pytest.fail('314159')\n"
    )
    report = bench.grade("def concat_heads(x):\n    return None\n")
    assert outcomes(report) == [Outcome.FAILED, Outcome.FAILED]
    assert sentence(report) == sentence(report, 1) == "The answer does not follow this rule."
    assert "271828" not in repr(report)
    assert "314159" not in repr(report)


def test_informational_checks_cost_nothing(bench: Bench) -> None:
    """A check worth 0 points may fail, and the submission still has all points."""
    bench.write_suite(
        "import pytest\n"
        "\n@pytest.mark.points(0)\ndef test_style(submission):\n    assert submission.concat_heads(1) == 2\n"
        "\n@pytest.mark.points(0.1)\ndef test_value(submission):\n    assert submission.concat_heads(1) == 1\n"
        "\n@pytest.mark.points(0.2)\ndef test_again(submission):\n    assert submission.concat_heads(3) == 3\n"
    )
    report = bench.grade("def concat_heads(x):\n    return x\n")
    assert (report.verdict, report.points, report.max_points) == (Verdict.ACCEPTED, 0.3, 0.3)
    assert outcomes(report) == [Outcome.FAILED, Outcome.PASSED, Outcome.PASSED]


# --- faults of ours ----------------------------------------------------------------------------------------------

FAULTY = """\
import pytest

@pytest.mark.points(1)
def test_faulty(submission):
    if submission.concat_heads(7) != 1:
        raise KeyError("a line of the suite")

@pytest.mark.points(1)
def test_sound(submission):
    assert submission.concat_heads(1) == 1
"""


def graded(bench: Bench, *sources: str) -> tuple[list[GradeReport], GraderError]:
    reports: list[GradeReport] = []
    submissions = [bench.submission(source, who=f"student {i}") for i, source in enumerate(sources)]
    with pytest.raises(GraderError) as caught:
        grade_all(bench.course, bench.exercise, submissions, reports.append, sandbox=bench.sandbox)
    return reports, caught.value


def test_a_fault_of_the_suite_costs_no_point_and_stops_nobody_else(bench: Bench) -> None:
    """The submission that met it is marked grader_error, the next one is graded, and then the operator is told."""
    bench.write_suite(FAULTY)
    reports, error = graded(bench, "def concat_heads(x):\n    return x\n", "def concat_heads(x):\n    return 1\n")
    assert [report.verdict for report in reports] == [Verdict.GRADER_ERROR, Verdict.ACCEPTED]
    assert outcomes(reports[0]) == [Outcome.NOT_RUN, Outcome.PASSED]
    assert reports[0].reason is not None
    assert texts.say(reports[0].reason.message, "en").startswith("Something is wrong in the grader or the course here")
    assert "a line of the suite" not in repr(reports)
    assert str(error).startswith("04_concat: 1 x a fault of the grader or the course, first KeyError:")
    assert isinstance(error.__cause__, KeyError)


def test_a_reference_that_does_not_answer_is_the_courses_fault(bench: Bench) -> None:
    """An exception of the reference is never blamed on the submission."""
    (bench.root / "solutions/04_concat/concat.py").write_text(
        "def concat_heads(heads):\n    raise ValueError('oops')\n"
    )
    reports, error = graded(bench, RIGHT)
    assert reports[0].verdict is Verdict.GRADER_ERROR
    assert "the reference gives no answer to concat_heads" in str(error)


def test_a_faulty_mistake_model_keeps_the_points(bench: Bench) -> None:
    """Where the diagnosis fails, the checks keep their outcomes and the operator is told."""
    (bench.root / "solutions/04_concat/mistakes.py").write_text("MISTAKES = {}\n")
    reports, error = graded(bench, WRONG)
    assert (reports[0].verdict, reports[0].points) == (Verdict.GRADER_ERROR, 2.0)
    assert "mistakes.py" in str(error)


# --- many submissions --------------------------------------------------------------------------------------------


def test_reports_come_in_order_and_as_they_are_made(bench: Bench) -> None:
    """A submission is asked for when the report of the one before it is out, so that memory stays flat."""
    order: list[str] = []

    def submissions() -> Iterator[Submission]:
        for who, source in (("a", RIGHT), ("b", "1 / 0"), ("c", WRONG), ("d", RIGHT)):
            order.append(f"asked {who}")
            yield bench.submission(source, who)

    def on_report(report: GradeReport) -> None:
        order.append(f"{report.who} {report.verdict}")

    grade_all(bench.course, bench.exercise, submissions(), on_report, sandbox=bench.sandbox)
    assert order == [
        *("asked a", "a accepted", "asked b", "b crashed", "asked c", "c partly", "asked d", "d accepted"),
    ]


def test_no_submission_leaves_anything_to_the_next(bench: Bench) -> None:
    """Globals, patched numpy and fixtures of one submission are gone for the next."""
    poison = "import numpy as np\nnp.zeros = None\nnp.array_equal = lambda *a: True\n" + WRONG
    reports: list[GradeReport] = []
    submissions = [bench.submission(source) for source in (poison, RIGHT, poison, WRONG)]
    grade_all(bench.course, bench.exercise, submissions, reports.append, sandbox=bench.sandbox)
    assert [report.points for report in reports] == [2.0, 4.0, 2.0, 2.0]


def test_what_the_caller_raises_comes_out(bench: Bench) -> None:
    """An interrupt while reports are written ends the grading as it is, not as a report."""

    def on_report(_report: GradeReport) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        grade_all(bench.course, bench.exercise, [bench.submission(RIGHT)], on_report, sandbox=bench.sandbox)


# --- provenance --------------------------------------------------------------------------------------------------


def test_a_report_says_where_it_comes_from(bench: Bench) -> None:
    """Versions, hashes, isolation and seed are kept; the seed hangs on the submission unless one is given."""
    submission = bench.submission(RIGHT)
    reports: list[GradeReport] = []
    for seed in (None, 7):
        grade_all(bench.course, bench.exercise, [submission], reports.append, sandbox=bench.sandbox, seed=seed)
    first, second = (report.provenance for report in reports)
    assert (first.seed, second.seed) == (int(submission.sha256[:8], 16) % SEEDS, 7)
    assert first.submission_sha256 == submission.sha256
    assert first.torch is None
    assert first.isolation == bench.sandbox.isolation
    assert first.suite_sha256 == second.suite_sha256
    (bench.root / "solutions/04_concat/mistakes.py").write_text("MISTAKES = {}\n")
    assert bench.grade(RIGHT).provenance.suite_sha256 != first.suite_sha256


def test_a_report_lists_the_mistakes_that_could_have_been_made(bench: Bench) -> None:
    """A right submission's report knows which mistakes belong to the exercise."""
    (bench.root / "solutions/04_concat/mistakes.py").write_text(
        "MISTAKES = {'merge-without-transpose': ('merge', 'x')}\n"
    )
    assert bench.grade(RIGHT).diagnosis.possible == ("merge-without-transpose",)


def test_what_was_printed_is_in_the_report(bench: Bench) -> None:
    """Output is kept for passing and failing submissions alike, and never scored."""
    noisy = RIGHT.replace("    return", "    print('PASS', x.shape)\n    return")
    report = bench.grade(noisy)
    assert report.verdict is Verdict.ACCEPTED
    assert report.printed.text.splitlines()[0] == "PASS (3, 5, 6)"


def test_grading_leaves_the_environment_as_it_was(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """PYTEST_* from outside neither reaches the hidden suite nor gets lost."""
    monkeypatch.setenv("PYTEST_ADDOPTS", "--no-such-option")
    monkeypatch.setenv("PYTEST_PLUGINS", "no_such_plugin")
    before = dict(os.environ)
    assert bench.grade(RIGHT).verdict is Verdict.ACCEPTED
    assert dict(os.environ) == before
