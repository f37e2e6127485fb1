"""Every sentence exists in English and 中文 with the same blanks, and reports have one for whatever can happen."""

from pathlib import Path
from string import Formatter

import pytest

import grader.report.html
import grader.texts
from grader.model import DiagnosisKind, Outcome, Verdict
from grader.texts import area

AREAS = sorted(path.stem for path in Path(grader.texts.__file__).parent.glob("*.toml"))
SENTENCES = [(name, key) for name in AREAS for key in area(name)]
ENUMS = {"verdict": Verdict, "outcome": Outcome, "diagnosis": DiagnosisKind}


def blanks(template):
    """Names in braces; a format, a conversion or a position would break on a field of another type."""
    parts = [part for part in Formatter().parse(template) if part[1] is not None]
    assert all(not spec and conversion is None and name.isidentifier() for _, name, spec, conversion in parts)
    return {name for _, name, _, _ in parts}


@pytest.mark.parametrize(("name", "key"), SENTENCES)
def test_both_languages_say_it_with_the_same_blanks(name, key):
    """A sentence has exactly the two languages, neither is empty, and what one names the other names too."""
    sentence = area(name)[key]
    assert set(sentence) == {"en", "zh"}
    assert all(text.strip() == text and text for text in sentence.values())
    assert blanks(sentence["en"]) == blanks(sentence["zh"])


@pytest.mark.parametrize(("name", "key"), SENTENCES)
def test_chinese_sentences_have_chinese_punctuation(name, key):
    """A Chinese sentence ends with a full-width mark, not with a dot or a half-width question mark."""
    assert area(name)[key]["zh"][-1] not in ".?!,;"


@pytest.mark.parametrize("prefix", ENUMS)
def test_every_ending_has_its_words(prefix):
    """Each verdict, outcome and kind of diagnosis can be told."""
    assert {f"{prefix}_{member.value}" for member in ENUMS[prefix]} <= set(area("report"))


def test_no_sentence_of_reports_is_left_over():
    """What nobody says is deleted."""
    folder = Path(grader.report.html.__file__).parent
    files = [*folder.glob("*.py"), *folder.glob("templates/*.html")]
    code = "\n".join(file.read_text(encoding="utf-8") for file in files)
    built = ("verdict_", "outcome_", "diagnosis_", "isolation_", "next_")
    said = {key: key.removesuffix("_in_cell") for key in area("report")}  # `place_of` adds that for a notebook
    unused = [key for key, name in said.items() if not key.startswith(built) and f'{name}"' not in code]
    assert unused == []


def test_what_an_instructor_is_told_has_the_name_and_blanks_of_what_the_student_is():
    """Else the student's sentence would be said in its place, or a blank would stay empty."""
    for key, sentence in area("causes").items():
        assert blanks(sentence["en"]) <= blanks(area("sandbox")[key]["en"]), key


def test_no_sentence_to_a_student_reaches_an_instructor():
    """Each sentence of the sandbox that says "you" has one for the instructor beside it."""
    spoken = {key for key, each in area("sandbox").items() if "your" in each["en"].lower() or "你" in each["zh"]}
    assert spoken <= set(area("causes"))
