"""What a report says is decided once: which mistakes are listed how, what comes next, which reason is told once."""

from dataclasses import replace

import pytest

from grader.model import Diagnosis, DiagnosisKind, GradeReport, Outcome, Printed, Text, Verdict
from grader.report.sentences import (
    cause,
    mistake_table,
    next_step,
    same_reason,
    shown_checks,
    verdict_symbol,
    warnings_printed,
)
from tests.report import samples


def results(lines):
    return [(each.row, each.title.en, each.result.key) for each in lines]


def test_rows_of_the_lesson_come_first_and_only_those_that_can_occur():
    """A row is detected where one of its mistakes is; rows without a mistake here are kept apart, in order."""
    table = mistake_table(samples.concat_merged(), samples.course())
    assert results(table.lesson) == [("E3", "A reshape puts numbers in the wrong places", "report.detected")]
    assert [row.id for row in table.elsewhere] == ["E1", "E2", "E4", "E5"]


def test_every_mistake_of_the_exercise_follows_with_its_result():
    """Each is listed, the detected ones apart, and names its row of the lesson where it has one."""
    table = mistake_table(samples.concat_merged(), samples.course())
    assert [(each.row, each.result.key) for each in table.own] == [("E3", "report.detected")]
    assert [(each.row, each.result.key) for each in table.further] == [("", "report.not_detected")] * 3
    table = mistake_table(samples.softmax_over_queries(), samples.course())
    assert table.lesson == ()
    assert [(each.title.en[:17], each.result.key) for each in (*table.own, *table.further)] == [
        ("Softmax over the ", "report.detected"),
        ("Masking after the", "report.not_detected"),
        ("The causal mask b", "report.not_detected"),
    ]


def test_mistakes_that_look_alike_are_said_to():
    """Where several mistakes explain the results, none of them is simply "detected"."""
    alike = [each.result for each in mistake_table(samples.family(), samples.course()).own]
    assert [(message.key, message.fields) for message in alike] == [("report.detected_one_of", {"count": 2})] * 2
    alike = [each.result for each in mistake_table(samples.family_certain(), samples.course()).own]
    assert sorted(message.key for message in alike) == ["report.detected", *["report.detected_one_of"] * 2]


def test_a_cause_that_speaks_for_itself_is_found():
    """Where no check got a value to compare, the first failure is the cause; one wrong value, or a mistake, and not."""
    for name in ("raises", "returned_nothing", "too_slow"):
        report = samples.all_reports()[name]
        assert cause(report) is report.checks[0]
    for name in ("named", "unknown", "family", "located", "syntax", "accepted", "not_attempted", "not_repeatable"):
        assert cause(samples.all_reports()[name]) is None
    raises = samples.raises_everywhere()
    mixed = replace(raises, checks=(*raises.checks[1:], samples.concat_merged().checks[1]))
    assert cause(mixed) is None


def test_warnings_of_numpy_are_explained_once():
    """Each kind of RuntimeWarning that was printed has its sentence, however often it was printed."""
    text = "a.py:1: RuntimeWarning: divide by zero encountered in divide\n" * 2
    text += "a.py:2: RuntimeWarning: invalid value encountered in subtract\noverflow\n"
    report = replace(samples.accepted(), printed=Printed(text, len(text)))
    assert [each.key for each in warnings_printed(report)] == ["report.warning_divide", "report.warning_invalid"]
    assert warnings_printed(samples.accepted()) == ()


@pytest.mark.parametrize("kind", [DiagnosisKind.NOT_RUN, DiagnosisKind.NOT_REPEATABLE])
def test_what_was_not_looked_for_is_not_called_absent(kind):
    """Without a comparison nothing may be said about a mistake, not even that it is not there."""
    report = replace(samples.concat_merged(), diagnosis=Diagnosis(kind, possible=samples.CONCAT_MISTAKES))
    table = mistake_table(report, samples.course())
    assert {each.result.key for each in (*table.lesson, *table.further)} == {"report.not_looked_for"}


def test_without_a_list_of_possible_mistakes_no_row_is_ruled_out():
    """That a row cannot occur is only said where it is known what can."""
    report = replace(samples.accepted(), diagnosis=Diagnosis(DiagnosisKind.RIGHT))
    table = mistake_table(report, samples.course())
    assert [each.row for each in table.lesson] == ["E1", "E2", "E3", "E4", "E5"]
    assert table.elsewhere == ()


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("named", "next_question"),
        ("family", "next_questions"),
        ("raises", "next_line"),
        ("returned_nothing", "next_return"),
        ("unknown", "next_smallest"),
        ("not_repeatable", "next_repeatable"),
        ("too_slow", "next_line"),
        ("accepted", "next_exercise"),
        ("not_attempted", "next_readme"),
        ("syntax", "next_line"),
        ("memory", "next_file"),
        ("grader_error", "next_operator"),
    ],
)
def test_each_ending_has_its_next_step(name, key):
    """There is exactly one next step, and it fits how the submission ended."""
    assert next_step(samples.all_reports()[name], samples.course()).key == f"report.{key}"


def test_the_next_exercise_is_the_one_after_in_the_course():
    """After the last exercise there is none, and that is said."""
    step = next_step(samples.accepted(), samples.course())
    assert step.fields == {"name": "05_output_projection", "folder": "exercises/05_output_projection/"}
    last = replace(samples.accepted(), exercise="05_output_projection")
    assert next_step(last, samples.course()).key == "report.next_done"


def test_the_same_reason_is_told_once():
    """Checks that met the same exception in the same line refer to the first of them; the case does not matter."""
    checks = samples.raises_everywhere().checks
    assert {name: first.name for name, first in same_reason(checks).items()} == dict.fromkeys(
        [check.name for check in checks[1:]], checks[0].name
    )
    assert set(same_reason(samples.concat_merged().checks)) == {"test_row_holds_one_position"}


def test_one_line_that_raises_is_one_reason_whatever_the_sizes_in_its_text():
    """The same exception in the same line is told once; in another line, or of another type, it is told again."""
    check = samples.raises_everywhere().checks[0]
    failure = check.failures[0]
    other_text = replace(failure, message=replace(failure.message, fields={"type": "ValueError", "text": "12 into 4"}))
    other_type = replace(failure, message=replace(failure.message, fields={"type": "TypeError", "text": ""}))
    cases = {"first": failure, "text": other_text, "type": other_type, "line": replace(failure, line=10)}
    checks = tuple(replace(check, name=name, failures=(case,)) for name, case in cases.items())
    assert list(same_reason(checks)) == ["text"]


def test_a_limit_is_one_reason_wherever_it_was_met():
    """Where in a loop the time ran out differs from check to check and says nothing."""
    check = samples.too_slow().checks[0]
    later = replace(check, name="later", failures=(replace(check.failures[0], line=12, code="pass"),))
    assert list(same_reason((check, later))) == ["later"]


def test_checks_that_never_ran_are_listed_only_without_a_reason():
    """A file that cannot be loaded has one reason, not five failed checks; a starter has no checks to show."""
    assert shown_checks(samples.syntax_error()) == ()
    assert shown_checks(samples.not_attempted()) == ()
    outcomes = [check.outcome for check in shown_checks(samples.too_slow())]
    assert outcomes.count(Outcome.NOT_RUN) == 2


def test_every_verdict_has_a_symbol():
    """No verdict relies on colour."""
    assert all(verdict_symbol(verdict) for verdict in Verdict)


def test_the_samples_cover_everything():
    """Every verdict and every kind of diagnosis is among the sample reports that the other tests use."""
    reports: list[GradeReport] = list(samples.all_reports().values())
    assert {report.verdict for report in reports} == set(Verdict)
    assert {report.diagnosis.kind for report in reports} == set(DiagnosisKind)
    assert all(isinstance(report.title, Text) for report in reports)
