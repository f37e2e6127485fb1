"""Which input a failing case had, told in words of both languages."""

from dataclasses import replace
from pathlib import Path

import pytest

from grader.course import installed_course, load_course
from grader.judge.plugin import Suite, with_suite
from grader.model import Outcome
from grader.report.cases import case_words
from grader.report.sentences import next_step, reasons, several_told
from tests.report.samples import (
    accepted,
    all_reports,
    course,
    not_attempted,
    not_passed,
    raises_everywhere,
    wrong_values,
)


@pytest.mark.parametrize(
    ("case", "en", "zh"),
    [
        ("h=3, L=5, d_v=6", "h = 3, L = 5, d_v = 6", "h = 3，L = 5，d_v = 6"),
        ("size=(4, 3), scale=0.4", "size = (4, 3), scale = 0.4", "size = (4, 3)，scale = 0.4"),
        ("kind=float32", "float32 numbers", "float32 数"),
        (
            "kind=lowest allowed, highest blocked",
            "scores of −10000 where allowed, 10000 where blocked",
            "允许处的分数为 −10000，屏蔽处为 10000",
        ),
        ("h=3, mask=", "h = 3, no mask", "h = 3，没有掩码"),
        ("h=3, causal=causal=True", "h = 3, causal=True", "h = 3，causal=True"),
        ("kind=of another course", "of another course", "of another course"),
        ("", "", ""),
    ],
)
def test_a_case_is_told_in_words(case: str, en: str, zh: str) -> None:
    """Sizes stand by name; a kind of numbers has words in both languages, or those of its suite."""
    assert (case_words(case, "en"), case_words(case, "zh")) == (en, zh)


def test_a_case_of_any_length_has_an_end() -> None:
    """A suite of another course may hold anything; a report shows no more than a line of it."""
    assert len(case_words("kind=" + "z" * 10_000 + "\x1b[2J", "en")) <= 110


@pytest.mark.slow
@pytest.mark.parametrize("name", load_course(installed_course()).names)
def test_every_kind_of_the_course_has_words(name: str) -> None:
    """What a suite of ours calls the kind of its numbers is told in English and 中文."""
    labels: list[str] = []

    def use(suite: Suite) -> None:
        labels.extend(case.label for check in suite.checks for case in check.cases)

    with_suite(load_course(installed_course()).exercises[name], use)
    kinds = {
        label[label.index("kind=") :].split(", causal=")[0].split(", masked=")[0]
        for label in labels
        if "kind=" in label
    }
    assert all(case_words(kind, "zh") != kind.removeprefix("kind=") for kind in kinds)


def test_that_inputs_differ_is_said_where_several_checks_tell_theirs() -> None:
    """One failing check needs no such sentence, nor do checks that fail for one reason."""
    report = all_reports()["named"]
    assert not several_told(report)
    assert not several_told(raises_everywhere())
    other = not_passed("test_one_head", Outcome.FAILED, wrong_values("", 2, 12, "[0,0]", "1", "2"))
    assert several_told(replace(report, checks=(*report.checks, other)))


def test_cases_that_fail_for_one_reason_are_told_once() -> None:
    """Of cases that stop at the same line for the same reason, or say the same, the first stands for all."""
    stopped = raises_everywhere().checks[0]
    again = replace(stopped.failures[0], case="h=2, L=7, d_v=3")
    assert reasons(replace(stopped, failures=(*stopped.failures, again))) == list(stopped.failures)
    wrong = all_reports()["named"].checks[1]
    assert reasons(wrong) == list(wrong.failures)


def test_a_readme_is_named_by_a_path_that_can_be_opened(tmp_path: Path) -> None:
    """The path to a README begins where one is; without a working copy it is that of the course."""
    here = Path.cwd()
    assert next_step(not_attempted(), course(), here).fields["folder"] == "04_concat/"
    assert next_step(not_attempted(), course(), here.parent).fields["folder"] == "../04_concat/"
    assert next_step(accepted(), course(), here / "exercises").fields["folder"] == "exercises/05_output_projection/"
    assert next_step(accepted(), course()).fields["folder"] == "exercises/05_output_projection/"
