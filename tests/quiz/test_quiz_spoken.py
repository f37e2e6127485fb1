"""Ways of saying an answer that were once refused or misread, and sentences of a session that were once untrue."""

from __future__ import annotations

from fractions import Fraction

import pytest
from quiz_course import ROOT, Learner

from grader.quiz.answers import mark
from grader.quiz.arranging import read_order, read_outcome, read_pairs, read_picks
from grader.quiz.asked import Asked, Outcome
from grader.quiz.blanks import spellings
from grader.quiz.folding import UnreadableError, same_spelling
from grader.quiz.lines import MOST, one_sandbox, read_line, run_line
from grader.quiz.lock import filled, read_lock, reason_fits

NOW = ("--now", "2026-03-01T20:00")
BANK = read_lock(ROOT)


@pytest.fixture
def learner(tmp_path):
    """Somebody who begins today."""
    return Learner(tmp_path / "data")


@pytest.mark.parametrize("text", ["one third each", "one third, one third, one third", "one-third one-third one-third"])
def test_a_fraction_in_words_is_one_number(text):
    """The blank in `one third` separates no numbers."""
    third = Fraction(1, 3)
    assert mark(Asked("vector", (third,) * 3), text).outcome is Outcome.RIGHT


@pytest.mark.parametrize("text", ["axis=-1", "dim: -1", "axis = -1", "负1", "dim=-1"])
def test_the_name_of_an_axis_is_free(text):
    """In torch `axis=` is taken for `dim=`, so the number alone decides."""
    asked = Asked("cloze", ("dim=-1|-1",), (("1",),))
    assert mark(asked, text).outcome is Outcome.RIGHT
    assert mark(asked, "axis=1").option == 0


def test_two_numbers_for_one_blank_may_have_a_blank_between_them():
    """`1 2` is not twelve; a call around them is sent back, however it begins."""
    asked = Asked("cloze", ("1, 2|2, 1",))
    assert mark(asked, "1 2").outcome is Outcome.RIGHT
    assert mark(asked, "12").outcome is Outcome.WRONG
    assert mark(asked, ".transpose(1,2)").outcome is Outcome.RETYPE


def test_an_exception_in_two_words():
    """A sentence around the name of an exception does not make it wrong."""
    asked = Asked("cloze", ("AssertionError",), (("ValueError",),))
    assert mark(asked, "it raises an assertion error").outcome is Outcome.RIGHT
    assert mark(asked, "it raises a value error").option == 0
    assert spellings("an Assertion Error") == spellings("AssertionError")
    assert mark(asked, "断言错误").outcome is Outcome.RIGHT
    assert mark(asked, "值错误").option == 0


@pytest.mark.parametrize("text", ["(3,1,2)", "[3, 1, 2]", "c a b", "三 一 二", "先3再1再2", "步骤 3 1 2", "3）1）2"])
def test_ways_to_say_an_order(text):
    """Brackets, letters and Chinese numbers are read."""
    assert read_order(text, 3) == (2, 0, 1)


@pytest.mark.parametrize("text", ["3 1", "3 1 1", "3 1 2 4", "3 one 2", "-3 1 x", ""])
def test_what_is_no_order_is_sent_back(text):
    """Each step has to be named once, by something that is a number or a letter."""
    with pytest.raises(UnreadableError):
        read_order(text, 3)


@pytest.mark.parametrize("text", ["(a,2),(b,1)", "a is 2 and b is 1", "a配2，b配1", "a2 b1", "a 二 b 一"])
def test_ways_to_say_pairs(text):
    """Pairs in brackets, with words between their ends, or with Chinese numbers are read."""
    assert read_pairs(text, 2) == (1, 0)


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("no exception, but the result is wrong", "wrong"),
        ("it runs but the result is wrong", "wrong"),
        ("不报错，但结果不对", "wrong"),
        ("the result is right", "right"),
        ("it raises an exception", "raises"),
        ("RuntimeError", "raises"),
        ("a TypeError", "raises"),
        ("(1)", "raises"),
        ("二", "wrong"),
    ],
)
def test_an_outcome_may_be_typed_as_it_is_shown(text, outcome):
    """The words of the options on the screen are understood, as are an exception and a number in brackets."""
    assert read_outcome(text) == outcome


@pytest.mark.parametrize("text", ["no error", "noerror", "不报错", "not right", "maybe"])
def test_an_outcome_that_says_two_things_is_sent_back(text):
    """That nothing is raised does not say whether the result is right."""
    with pytest.raises(UnreadableError):
        read_outcome(text)


def test_a_line_of_code_may_end_in_a_comment():
    """A comment is part of no bracket that we write; a line longer than anybody types is sent back."""
    _, source = read_line("x + 1  # one more", ("x",))
    compile(source, "answer.py", "exec")
    with pytest.raises(UnreadableError, match="too_long"):
        read_line("x" * (MOST + 1), ("x",))


def test_what_stays_in_the_sandbox_is_named_by_its_type():
    """A function is said to be a function."""
    _, source = read_line("lambda: x", ("x",))
    assert run_line(source, [{"given": {"x": 1}}]) == [{"other": "function"}]


@pytest.mark.parametrize(
    ("understood", "text", "same"),
    [("(6, 10, 24)", "(6,10,24)", True), ("assertionerror", "AssertionError ", True), ("8", "d_k = 8", False)],
)
def test_nothing_is_echoed_that_was_typed(understood, text, same):
    """Capitals and blanks are nothing that has to be told."""
    assert same_spelling(understood, text) is same


def test_options_after_a_miss_know_the_same_words(learner):
    """`u` among the options takes the answer back, so that it no longer counts; `?` shows the hint."""
    run = learner.quiz(*NOW, "--topic", "splitting", answers="1\n?\nu\nq\n")
    assert "There is no option" not in run.out
    assert "Right: 0   wrong: 0" in run.out
    assert "taken back" in run.out
    assert "Answer: " not in run.out  # the same question is asked again


def test_a_pause_is_told_once(learner):
    """In a pause a session says so, and not that nothing is due."""
    learner.quiz("pause", *NOW)
    assert len(learner.quiz(*NOW).out.splitlines()) == 1


def test_the_history_speaks_the_language_of_the_learner(learner):
    """Options that were picked are told in the language that is asked for."""
    learner.quiz(*NOW, "--topic", "softmax", "--new", "1", answers="1\n1\n1\n1\nq\n")
    item = BANK.items["softmax.axis"]
    texts = [item.right[0], *(wrong.text for wrong in item.wrong if wrong.text)]
    for language, other in (("en", "zh"), ("zh", "en")):
        out = learner.quiz("history", "--lang", language).out
        assert any(filled(text, item.variants[0], language) in out for text in texts)
        assert not any(filled(text, item.variants[0], other) in out for text in texts)


def test_a_right_reason_for_a_wrong_outcome():
    """Where only the first step of a prediction was wrong, that is what is told."""
    item = next(each for each in BANK.items.values() if each.kind == "predict")
    variant = item.variants[0]
    reason = filled(item.right[0], variant, "en")
    assert reason_fits(item, variant, f"right | {reason}")
    assert not reason_fits(item, variant, "right | something else")


@pytest.mark.parametrize("text", ["2", "option 2", "Answer: b", "#2", "no. 2", "第二项", "选2", "选项 2", "二"])
def test_ways_to_pick_an_option(text):
    """Words around the number of an option, and Chinese numbers, are read."""
    assert read_picks(text, 4, several=False) == (1,)


def test_ways_to_pick_several_options():
    """Words between them change nothing; what names no option is sent back."""
    assert read_picks("options 1 and 3", 4, several=True) == read_picks("选一和三", 4, several=True) == (0, 2)
    for text in ("option", "none", "no", "五", "option 9", "#"):
        with pytest.raises(UnreadableError):
            read_picks(text, 4, several=True)


def test_only_the_same_exception_is_the_same_mistake():
    """A line that raises for another reason than a wrong option shows not its mistake, but what it raised."""
    item = BANK.items["scores.write-the-line"]
    asked = item.asked(item.variants[0])
    raises = asked.wrong.index("q @ k.T / np.sqrt(q.shape[-1])")
    with one_sandbox():
        assert mark(asked, "np.matmul(q, k.T) / np.sqrt(q.shape[-1])").option == raises
        marked = mark(asked, "np.ones(3).reshape(7)")
    assert (marked.outcome, marked.option) == (Outcome.WRONG, None)
    assert marked.message is not None
    assert "reshape" in str(marked.message.fields)
