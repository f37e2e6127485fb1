"""JUnit XML has a suite for each report and a case for each check, and never makes trouble look like success."""

from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from grader.model import LANGUAGES
from grader.report.junit import junit_report
from tests.report.samples import all_reports

REPORTS = all_reports()


def suites(*names, language="en"):
    return list(ET.fromstring(junit_report([REPORTS[name] for name in names], language)))  # noqa: S314  # our own


def test_one_suite_for_each_report_and_one_case_for_each_check():
    """The counts of a suite agree with its cases."""
    named, accepted = suites("named", "accepted")
    assert [len(suite.findall("testcase")) for suite in (named, accepted)] == [5, 5]
    assert (named.get("tests"), named.get("failures"), named.get("errors"), named.get("skipped")) == (
        "5",
        "2",
        "0",
        "0",
    )
    assert (accepted.get("failures"), accepted.get("errors"), accepted.get("skipped")) == ("0", "0", "0")
    assert [case.get("name") for case in named.findall("testcase")] == [check.name for check in REPORTS["named"].checks]


def test_a_failure_carries_its_sentences():
    """The first sentence is the message, rule and every failing case are the text."""
    case = suites("named")[0].findall("testcase")[1]
    failure = case.find("failure")
    assert failure.get("message").startswith("First wrong element: index [0,6] (L, d_model)")
    assert "Head i fills columns" in failure.text
    assert "h=2, L=7, d_v=3: " in failure.text


def test_an_exception_is_an_error_with_its_line():
    """What stopped is told from what answered wrongly."""
    error = suites("raises")[0].findall("testcase")[0].find("error")
    assert error.get("type") == "error"
    assert "concat.py:9:     return heads.reshape(length, h)" in error.text


@pytest.mark.parametrize("name", ["syntax", "too_slow", "memory", "output", "crashed", "grader_error"])
def test_what_did_not_run_is_never_clean(name):
    """A check that was not reached is an error, so that no build passes on it."""
    suite = suites(name)[0]
    assert int(suite.get("errors")) == len(suite.findall("testcase")) == 5


def test_an_untouched_starter_is_skipped():
    """Nothing was attempted, nothing failed."""
    suite = suites("not_attempted")[0]
    assert (suite.get("skipped"), suite.get("errors"), suite.get("failures")) == ("5", "0", "0")


def test_a_report_without_checks_is_no_empty_suite():
    """An empty suite would look like success; one case says what happened."""
    report = replace(REPORTS["syntax"], checks=())
    suite = ET.fromstring(junit_report([report], "en"))[0]  # noqa: S314
    assert (suite.get("tests"), suite.get("errors")) == ("1", "1")
    assert "Python cannot read the file" in suite.find("testcase/error").get("message")


def test_properties_name_what_a_machine_wants_to_know():
    """Who, verdict, points, mistakes by slug, hashes."""
    found = {each.get("name"): each.get("value") for each in suites("named")[0].iter("property")}
    assert found["mistakes"] == "merge-without-transpose"
    assert (found["points"], found["verdict"], found["who"]) == ("1.5/4.5", "partly", "mia")
    assert suites("named")[0].find("system-out").text == "heads (2, 7, 3)\n(7, 6)"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", REPORTS)
def test_every_report_is_well_formed(name, language):
    """Each kind of report can be read back, in both languages."""
    assert len(suites(name, language=language)) == 1
