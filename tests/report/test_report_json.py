"""A report is plain JSON: every field of the nouns, in order, nothing that JSON or a terminal cannot take."""

import json
import math
from dataclasses import fields, replace

import pytest

from grader.model import Counterexample, Diagnosis, DiagnosisKind, GradeReport, Printed, Shown
from grader.report.json import json_line, json_report
from tests.report.samples import all_reports

REPORTS = all_reports()


@pytest.mark.parametrize("name", REPORTS)
def test_every_field_is_there_with_schema_first(name):
    """The keys are those of the dataclass but for figures, `schema` before all others, in the same order every time."""
    made = json.loads(json_report(REPORTS[name]))
    assert next(iter(made)) == "schema"
    assert made["schema"] == 1
    assert list(made)[1:] == [field.name for field in fields(GradeReport) if field.name not in {"schema", "figures"}]
    assert json_report(REPORTS[name]) == json_report(REPORTS[name])


@pytest.mark.parametrize("name", REPORTS)
def test_one_line_holds_the_same(name):
    """What a gradebook keeps is the same object, in one line that steers no terminal."""
    line = json_line(REPORTS[name])
    assert json.loads(line) == json.loads(json_report(REPORTS[name]))
    assert line.isprintable()


def test_nouns_become_plain_objects():
    """Enums are their words, messages their key and fields, texts both languages."""
    made = json.loads(json_report(REPORTS["named"]))
    assert (made["verdict"], made["diagnosis"]["kind"]) == ("partly", "named")
    assert made["title"] == {"en": "Heads back into d_model", "zh": "把各头拼回 d_model"}
    assert made["checks"][1]["failures"][0]["message"]["key"] == "report.first_wrong"
    assert made["diagnosis"]["findings"][0]["counterexample"]["first_wrong"] == [0, 2]


def test_numbers_that_json_has_not_become_strings():
    """NaN and infinities are told apart, and the text is JSON for every reader."""
    values = (math.nan, math.inf, -math.inf, 1.5, True, "1+2j")
    shown = Shown("array", ("L",), (6,), "float64", values)
    example = Counterexample("f(x)", (), shown, shown, None)
    report = replace(REPORTS["named"], diagnosis=Diagnosis(DiagnosisKind.UNKNOWN, counterexample=example))
    made = json.loads(json_report(report), parse_constant=pytest.fail)
    assert made["diagnosis"]["counterexample"]["expected"]["values"] == [
        "NaN",
        "Infinity",
        "-Infinity",
        1.5,
        True,
        "1+2j",
    ]


def test_steering_characters_are_escaped():
    """The text may be shown in a terminal; read back, it is what it was, but for half a surrogate pair."""
    text = "\x1b[31m\x9b\u202e\u2028\U000e0041\ud800 中文"
    made = json_report(replace(REPORTS["named"], printed=Printed(text, 9)))
    assert all(character == "\n" or character.isprintable() for character in made)
    assert json.loads(made)["printed"]["text"] == text.replace("\ud800", "\ufffd")
    assert "中文" in made
