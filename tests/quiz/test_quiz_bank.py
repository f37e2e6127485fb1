"""The bank: what `grade quiz build` refuses, and what the frozen bank of this course holds."""

import json
import re
import tomllib

import pytest
from quiz_course import QUESTION, ROOT, course_with

from grader.course import load_course
from grader.errors import ContentError
from grader.quiz.answers import mark, typed_value
from grader.quiz.asked import Outcome
from grader.quiz.build import build
from grader.quiz.lines import one_sandbox
from grader.quiz.lock import HOLE, PATH, filled, read_lock


@pytest.fixture(scope="module")
def bank():
    """The frozen bank of this course."""
    return read_lock(ROOT)


# --- what is refused -----------------------------------------------------------------------------------------------


def test_a_good_bank_is_built_the_same_each_time(tmp_path):
    """The same bank gives the same bytes, and as many variants as are allowed."""
    course = course_with(tmp_path, QUESTION)
    built = build(course)
    assert built == build(course)
    assert (built.items, built.templates, built.variants) == (1, 1, 48)


REFUSED = [
    ('run = "h"', 'run = "k"', "wrong"),  # the same value as the key
    ('run = "h"', 'run = "h * k"', "wrong"),  # the same value as another option
    ("h = { int = [2, 9] }\nk = { int = [10, 30] }", "h = { int = [2, 4] }\nk = { int = [10, 12] }", "params"),
    ('"head-count-and-width-exchanged"', '"no-such-slug"', "wrong.mistake"),
    ('exercise = "01_split_heads"', 'exercise = "99_nothing"', "exercise"),
    ('hint.zh = "平分。"\n', "", "zh"),
    ('hint.zh = "平分。"', 'hint.zh = "Share."', "hint"),
    ('= {{k}}."', '= {{k}."', "explain"),
    ('explain.en = "{{h * k}}', 'explain.en = "{{g}}', "g"),
    ('explain.en = "{{h * k}}', 'explain.en = "Option B: {{h * k}}', "explain"),
    ('run = "h * k // h"', 'run = "h * k / h + 0.5 * j"', "run"),
    ('type = "number"', 'type = "essay"', "type"),
    ('require = ["h != k", "h * k != k"]', 'accepted = ["{{k + 1}}"]', "accepted"),
    ('require = ["h != k", "h * k != k"]', 'refused = ["{{k}}"]', "refused"),
    ('require = ["h != k", "h * k != k"]', 'colour = "red"', "colour"),
    ('id = "tiny.width"', 'id = "tiny.width"\nversion = 0', "version"),
]


@pytest.mark.parametrize(("old", "new", "field"), REFUSED)
def test_a_fault_is_refused_with_file_and_field(tmp_path, old, new, field):
    """Coinciding options, degenerate draws, missing texts and the like stop the build; file and field are named."""
    assert old in QUESTION
    course = course_with(tmp_path, QUESTION.replace(old, new))
    with pytest.raises(ContentError) as caught:
        build(course)
    assert "tiny.toml" in str(caught.value)
    assert re.search(rf"\b{re.escape(field)}\b", str(caught.value))


def test_a_text_changes_no_number(tmp_path):
    """Only the params feed the generator: a new explanation, or a question in front, leaves every draw as it was."""
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    head, question = QUESTION.split("[[question]]")
    other = "[[question]]" + question.replace("tiny.width", "tiny.first")
    longer = head + other + "[[question]]" + question.replace("Share.", "Share them out.")
    first = json.loads(build(course_with(tmp_path / "a", QUESTION)).text)["items"][0]["variants"]
    second = json.loads(build(course_with(tmp_path / "b", longer)).text)["items"][1]["variants"]
    assert first == second


def test_two_questions_with_one_id_are_refused(tmp_path):
    """An id is permanent and belongs to one question."""
    question = QUESTION.split("[[question]]")[1]
    with pytest.raises(ContentError, match="an id that"):
        build(course_with(tmp_path, QUESTION + "\n[[question]]" + question))


# --- the frozen bank -----------------------------------------------------------------------------------------------


def test_the_bank_is_large_enough(bank):
    """Eighty questions, thirty of them with numbers of their own, fifteen hundred variants."""
    counts = [len(record["variants"]) for record in bank.records]
    assert len(counts) >= 80
    assert sum(count > 1 for count in counts) >= 30
    assert sum(counts) >= 1500


def test_every_key_and_option_is_told_apart_by_the_checker(bank):
    """In each variant the key is right, and each wrong option is wrong and recognised, in the spelling shown."""
    variants = [(item, variant) for item in bank.items.values() if item.typed for variant in item.variants]
    with one_sandbox():
        for item, variant in variants:
            asked = item.asked(variant)
            assert mark(asked, typed_value(asked, variant.answer)).outcome is Outcome.RIGHT
            found = [mark(asked, typed_value(asked, each)) for each in variant.wrong if item.kind != "match"]
            named = [(each.outcome, each.option) for each in found]
            assert named == [(Outcome.WRONG, i) for i in range(len(found))], item.id


def test_every_text_renders_in_both_languages(bank):
    """No hole is left in any text of any variant."""
    for item in bank.items.values():
        texts = [item.prompt, item.hint, item.explain, *(each.why for each in item.wrong), *item.right, *item.ends]
        for variant in item.variants:
            shown = [filled(text, variant, language) for text in texts for language in ("en", "zh")]
            assert not [text for text in shown if HOLE.search(text) or "{{" in text], item.id


def test_every_wrong_option_is_a_mistake_of_the_catalogue(bank):
    """Quiz and code speak of the same mistakes."""
    catalogue = tomllib.loads((ROOT / "exercises" / "mistakes.toml").read_text(encoding="utf-8"))["mistake"]
    assert {wrong.mistake for item in bank.items.values() for wrong in item.wrong} <= set(catalogue)


def test_all_variants_come_round_before_one_is_repeated(bank):
    """Asked again and again, an item shows each of its variants once."""
    for item in bank.items.values():
        assert len({item.variant(turn).id for turn in range(len(item.variants))}) == len(item.variants)


@pytest.mark.slow
def test_the_frozen_bank_is_what_a_build_writes():
    """quizzes/bank.lock.json is up to date."""
    assert build(load_course(ROOT)).text == (ROOT / PATH).read_text(encoding="utf-8")


def test_a_key_is_shown_as_it_is_asked_for(bank):
    """Where two decimals are enough, the key and the options have no more of them, and the key is still taken."""
    for item in bank.items.values():
        if item.tolerance:
            variant = item.variants[0]
            for value in (variant.answer, *variant.wrong):
                shown = typed_value(item.asked(variant), value)
                assert re.search(r"\.\d{3}", shown) is None, (item.id, shown)
            assert mark(item.asked(variant), typed_value(item.asked(variant), variant.answer)).outcome is Outcome.RIGHT
