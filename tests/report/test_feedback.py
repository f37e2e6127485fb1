"""How much of a report a student is shown: what each level keeps, and that nothing of a hidden input is left."""

import re
from dataclasses import replace

import pytest

from grader.model import LANGUAGES
from grader.report.feedback import FEEDBACKS, reduced
from grader.report.html import html_report, shows
from tests.report.samples import accepted, all_reports, course


def hidden_texts(report) -> set[str]:
    """What came of the inputs of checks: sentences' fields, exceptions, what was printed, cases."""
    found = {report.printed.text}
    for check in report.checks:
        for failure in check.failures:
            found |= {str(value) for value in failure.message.fields.values()} | {failure.case, failure.traceback}
    return {text for text in found if len(text) > 3}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("feedback", ["summary", "names"])
def test_nothing_of_a_hidden_input_is_shown(feedback, language):
    """No message of a check, no printed text and no traceback is on the page, whatever the report holds."""
    for name, report in all_reports().items():
        less = reduced(report, feedback)
        assert not hidden_texts(less) - hidden_texts(report)
        assert not [failure for check in less.checks for failure in check.failures], name
        assert less.printed.text == ""
        page = html_report(report, course(), language, feedback)
        assert 'class="printed"' not in page
        assert 'class="why"' not in page
        assert 'class="figures"' not in page


def test_a_summary_keeps_rules_the_mistake_and_its_own_counterexample():
    """A student still sees which rules hold, and the smallest input that shows the mistake."""
    for report in all_reports().values():
        less = reduced(report, "summary")
        assert [check.rule for check in less.checks] == [check.rule for check in report.checks]
        assert less.diagnosis == report.diagnosis
        assert (less.points, less.verdict) == (report.points, report.verdict)


@pytest.mark.parametrize(
    ("assigned", "told"),
    [
        (None, {"04_concat"}),
        ({"03_masked_softmax", "05_output_projection"}, {"05_output_projection"}),
        ({"03_masked_softmax"}, set()),
    ],
)
@pytest.mark.parametrize("feedback", FEEDBACKS)
def test_only_an_exercise_that_was_set_comes_next(feedback, assigned, told):
    """A page of a class names no exercise that nobody set; where none is left, it says nothing of a next step."""
    done = replace(accepted(), exercise="03_masked_softmax")
    page = html_report(done, course(), "en", feedback, assigned=assigned)
    assert set(re.findall(r"0[45]_[a-z_]+", page)) == told
    assert ('id="next"' in page) is bool(told)
    assert 'id="next"' in html_report(all_reports()["named"], course(), "en", feedback, assigned=assigned)


def test_names_keep_names_alone():
    """Points, verdict and titles of mistakes; no rule, no example, nothing to think about."""
    found = 0
    for report in all_reports().values():
        page = html_report(report, course(), "en", "names")
        assert 'class="example"' not in page
        assert 'class="talk"' not in page
        assert 'class="checks"' not in page
        assert "question above" not in page
        assert "Seen on the inputs tried:" not in page  # what would follow is not shown
        for finding in report.diagnosis.findings:
            found += 1
            title = re.sub(r"<[^>]*>", "", page)
            assert finding.mistake.title.en.replace("`", "") in title.replace("&#39;", "'")
    assert found


def test_names_say_that_the_code_raised():
    """Where every check that failed ended in an exception, the page of names says so, not which exception."""
    pages = {name: html_report(report, course(), "en", "names") for name, report in all_reports().items()}
    told = {name for name, page in pages.items() if "your code raised an exception" in page}
    assert "raises" in told
    assert not told & {"accepted", "named", "not_attempted", "syntax"}
    assert "ValueError" not in pages["raises"]


def test_a_page_says_how_much_it_shows():
    """A page made at one level is told from one made at another, and in another language, by its head."""
    report = next(iter(all_reports().values()))
    for feedback in FEEDBACKS:
        for language in LANGUAGES:
            head = html_report(report, course(), language, feedback)[:2000]
            assert [(one, lang) for one in FEEDBACKS for lang in LANGUAGES if shows(head, lang, one)] == [
                (feedback, language)
            ]
