"""Thousands of spellings of answers to the questions of the bank, and the ways to name an axis."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from quiz_course import ROOT

from grader.quiz.answers import mark
from grader.quiz.asked import Asked, Outcome
from grader.quiz.axes import read_axes
from grader.quiz.folding import UnreadableError
from grader.quiz.lock import read_lock

BANK = read_lock(ROOT)
WRITTEN = Path(__file__).with_name("item_spellings.txt").read_text(encoding="utf-8").splitlines()
AXES = {"B": 0, "h": 1, "L": 2, "S": 3}


def spellings(sign):
    """Every spelling that begins with this sign (+ is right), with the first variant of its question."""
    asked, found = None, []
    for line in WRITTEN:
        if line.startswith("@"):
            item = BANK.items[line[1:]]
            asked = item.asked(item.variants[0])
        elif line.startswith(f"{sign} "):
            found.append((asked, line[2:]))
    return found


def test_right_answers_to_the_bank_are_taken():
    """What students, phones, LaTeX and consoles make of a right answer is right, to each question that is typed."""
    refused = [text for asked, text in spellings("+") if mark(asked, text).outcome is not Outcome.RIGHT]
    assert len(spellings("+")) > 1800
    assert refused == []


def test_wrong_answers_to_the_bank_are_never_taken():
    """Neighbours, exchanged sizes, two answers at once and answers that are taken back are not right."""
    accepted = [text for asked, text in spellings("-") if mark(asked, text).outcome is Outcome.RIGHT]
    assert len(spellings("-")) > 1000
    assert accepted == []


@given(
    axis=st.integers(0, 3), frame=st.sampled_from(["{}", "dim={}", "axis {}", "scores.softmax({})", "轴 {}", "it's {}"])
)
def test_an_axis_has_two_numbers(axis, frame):
    """An axis counted from the front or from behind is one axis, whatever stands around the number."""
    assert read_axes(frame.format(axis), AXES) == read_axes(frame.format(axis - 4), AXES) == (axis,)


@given(text=st.text(st.sampled_from("0123-, =()dimaxstlohe第一最后维轴倒数或S")))
def test_no_text_breaks_the_reader_of_axes(text):
    """Any text names axes that are there, or is sent back."""
    try:
        axes = read_axes(text, AXES)
    except UnreadableError:
        return
    assert set(axes) <= set(range(4))


@pytest.mark.parametrize("text", ["第3维", "第三维"])
def test_an_axis_that_may_be_counted_from_one_is_asked_back(text):
    """第三维 is the third axis to some and dim=3 to others: nobody guesses, unless only one of them is there."""
    assert mark(BANK.items["softmax.which-axis"].asked(BANK.items["softmax.which-axis"].variants[0]), text).outcome is (
        Outcome.UNCLEAR
    )
    assert read_axes(f"{text}（从 0 数起）", AXES) == (3,)
    assert read_axes("第四维", AXES) == (3,)


def test_a_number_that_is_said_to_be_another_size_is_sent_back():
    """`d_model = 10` is no answer to a question about d_k, and `10 heads` none where there are two."""
    item = BANK.items["splitting.width-of-a-head"]
    asked = item.asked(item.variants[0])
    assert mark(asked, "d_k = 10").outcome is Outcome.RIGHT
    assert {mark(asked, text).outcome for text in ("d_model = 10", "10 heads", "10 rows")} == {Outcome.RETYPE}


def test_an_unfinished_bracket_is_closed_only_for_a_right_answer():
    """`(2, 4, 5` may be a slip of the thumb, or an answer that was sent too early."""
    asked = Asked("shape", (2, 4, 5), ())
    assert mark(asked, "(2, 4, 5").outcome is Outcome.RIGHT
    assert mark(asked, "(2, 4").outcome is Outcome.RETYPE
