"""The texts of the course: cards of mistakes, hints and rules, in both languages."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from grader.course import Course, installed_course, load_course, load_module
from grader.model import Exercise, Mistake, Text
from grader.quiz.lock import read_lock

CARDS = load_course(installed_course()).mistakes
FIELDS = ("title", "belief", "seen", "question", "place")
MOST_WORDS = {"title": 12}  # of English; 60 for the other fields
MOST_CHARACTERS = {"title": 30}  # of 中文; 120 for the other fields
CHINESE = re.compile(r"[\u4e00-\u9fff]")
CALL = re.compile(r"`[^`]*\w\([^`]*`|\.(reshape|transpose|concatenate|where|tril|triu)\(")


@pytest.fixture(params=CARDS.values(), ids=list(CARDS))
def card(request: pytest.FixtureRequest) -> Mistake:
    """One card of exercises/mistakes.toml."""
    found: Mistake = request.param
    return found


def texts_of(card: Mistake) -> Iterator[tuple[str, Text]]:
    return ((field, getattr(card, field)) for field in FIELDS)


def test_rows_are_those_of_the_lesson(course: Course) -> None:
    """The catalogue must hold the five rows of the lesson's error table, in their order."""
    assert list(course.rows) == ["E1", "E2", "E3", "E4", "E5"]


def test_cards_are_short(card: Mistake) -> None:
    """A title must have at most 12 words, any other text of a card at most 60, and as little in 中文."""
    for field, text in texts_of(card):
        assert len(text.en.split()) <= MOST_WORDS.get(field, 60), field
        assert len(text.zh) <= MOST_CHARACTERS.get(field, 120), field


def test_cards_speak_the_language_they_claim(card: Mistake) -> None:
    """The 中文 of a card must be Chinese, and its English must not."""
    for field, text in texts_of(card):
        assert CHINESE.search(text.zh), field
        assert not CHINESE.search(text.en), field


def test_cards_never_show_code_that_could_be_copied(card: Mistake) -> None:
    """No text of a card may quote a call of a function."""
    for field, text in texts_of(card):
        assert not CALL.search(text.en + text.zh), field


def test_questions_ask_and_sentences_end(card: Mistake) -> None:
    """A question must end with a question mark, and belief, seen and place with a full stop or a question mark."""
    assert card.question.en.endswith("?")
    assert card.question.zh.endswith("？")
    for text in (card.belief, card.seen, card.place):
        assert text.en.endswith((".", "?", "”."))
        assert text.zh.endswith(("。", "？"))


def slugs_of(exercise: Exercise) -> set[str]:
    return set(load_module(exercise.solution / "mistakes.py").MISTAKES)


def test_every_mistake_has_a_card(course: Course, exercise: Exercise) -> None:
    """Every mistake that an exercise models must have a card in the catalogue."""
    assert sorted(slugs_of(exercise) - set(course.mistakes)) == []


def test_every_card_is_of_use(course: Course) -> None:
    """Every card must belong to a mistake that some exercise models, or to a wrong option of the quizzes."""
    modelled = set().union(*(slugs_of(exercise) for exercise in course.exercises.values()))
    asked = {option.mistake for item in read_lock(course.root).items.values() for option in item.wrong}
    assert sorted(set(course.mistakes) - modelled - asked) == []


def test_hints_are_a_ladder_of_three(exercise: Exercise) -> None:
    """An exercise must have three hints in both languages, none of them with code."""
    assert len(exercise.hints) == 3
    for hint in exercise.hints:
        assert CHINESE.search(hint.zh)
        assert not CHINESE.search(hint.en)
        assert not CALL.search(hint.en + hint.zh)


def test_rules_are_one_sentence(exercise: Exercise) -> None:
    """The rule of a check must be one sentence in each language."""
    for name, rule in exercise.rules.items():
        assert re.fullmatch(r"[^.]+(\.\w[^.]*)*\.", rule.en), name
        assert rule.zh.endswith("。"), name
        assert rule.zh.count("。") == 1, name
