"""The checker of typed answers: it takes what people type, and never calls what it cannot read wrong."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from more_spellings import ALWAYS, NEVER
from spellings import BILL, COUNT, REAL, RIGHT, ROOT, SENT_BACK, SHAPE, WEIGHTS, WORD, WRONG

from grader.model import LANGUAGES
from grader.quiz.answers import mark, show_value
from grader.quiz.arranging import read_picks
from grader.quiz.asked import Asked, Outcome
from grader.quiz.folding import UnreadableError
from grader.quiz.formulas import parse_formula, same
from grader.texts import say

ALL = (SHAPE, COUNT, REAL, BILL, ROOT, WEIGHTS, WORD)


def cases(table):
    """Each spelling with what it is compared with."""
    return [(asked, text) for asked, texts in table.values() for text in texts]


@pytest.mark.parametrize(("asked", "text"), cases(RIGHT))
def test_right_spellings_are_right(asked, text):
    """Every usual spelling of the right answer is taken."""
    assert mark(asked, text).outcome is Outcome.RIGHT


def lines(table):
    """Each line of each block with what it is compared with."""
    return [(asked, text) for asked, block in table for text in block.strip("\n").split("\n")]


def test_a_thousand_spellings_are_right():
    """What people write around and in place of a plain answer is taken, all of it."""
    refused = [(text, mark(asked, text)) for asked, text in lines(ALWAYS) if mark(asked, text).outcome != "right"]
    assert len(lines(ALWAYS)) > 1600
    assert refused == []


def test_hundreds_of_wrong_answers_are_never_right():
    """Neighbours of a right answer, two answers at once, and what takes an answer back, are not right."""
    accepted = [text for asked, text in lines(NEVER) if mark(asked, text).outcome is Outcome.RIGHT]
    assert len(lines(NEVER)) > 400
    assert accepted == []


FILLING = [
    "the layer has {}",
    "I get {} columns",
    "so {} then",
    "模块有{}个参数",
    "宽度{}",
    "{} (rows)",
    "hmm, {}",
    "我算出来是 {}。",
]
CHANGING = [
    *["not {}", "{} or 7", "{} hundred", "less than {}", "{} is wrong", "minus {}", "half of {}", "between {} and 9"],
    *["不是{}", "{}或7", "负{}", "{}百", "> {}", "{}!", "{} 7", "{}; 7", "{}, 7", "{}-7", "1/{}", "log {}", "{}²"],
]


@given(number=st.integers(10, 10**7), frame=st.sampled_from(FILLING), off=st.integers(1, 9))
@settings(deadline=None)
def test_a_number_among_words(number, frame, off):
    """Words that change nothing do no harm, and another number among them is as wrong as without."""
    text = frame.format(f"{number:,}")
    assert mark(Asked("number", Fraction(number)), text).outcome is Outcome.RIGHT
    assert mark(Asked("number", Fraction(number + off)), text).outcome is Outcome.WRONG


@given(number=st.integers(10, 10**7), frame=st.sampled_from(CHANGING))
@settings(deadline=None)
def test_words_that_change_a_number(number, frame):
    """What makes another number of it, or takes it back, is never right."""
    assert mark(Asked("number", Fraction(number)), frame.format(number)).outcome is not Outcome.RIGHT


SHAPED = ["the heads have shape {}", "you get {} here", "then {} comes out", "输出张量的形状是{}", "最后得到{}了"]


@given(shape=st.lists(st.integers(1, 99), min_size=2, max_size=5), frame=st.sampled_from(SHAPED))
@settings(deadline=None)
def test_a_shape_among_words(shape, frame):
    """A list in brackets is found among words; two of them, or one that is taken back, are not."""
    text = f"({', '.join(map(str, shape))})"
    asked = Asked("shape", tuple(shape))
    assert mark(asked, frame.format(text)).outcome is Outcome.RIGHT
    for other in ("not {}", "{} or (1, 2)", "(1, 2), {}", "不是{}", "{} without the batch"):
        assert mark(asked, other.format(text)).outcome is not Outcome.RIGHT


@pytest.mark.parametrize("tail", [" ", "\u200b", "。", ".", "\u00a0\n"])
def test_what_hangs_on_an_answer_does_not_matter(tail):
    """A blank, a zero-width blank or a full stop behind an answer changes nothing."""
    assert [text for asked, text in cases(RIGHT) if mark(asked, text + tail).outcome is not Outcome.RIGHT] == []


@pytest.mark.parametrize(("asked", "case"), cases(WRONG))
def test_wrong_answers_are_wrong_and_named(asked, case):
    """A wrong answer is wrong, and found among the wrong options where it stands there in any spelling."""
    text, option = case
    marked = mark(asked, text)
    assert (marked.outcome, marked.option) == (Outcome.WRONG, option)


@pytest.mark.parametrize(("asked", "text"), cases(SENT_BACK))
def test_what_cannot_be_read_is_sent_back(asked, text):
    """What cannot be read, or in two ways, is neither right nor wrong, and says why in both languages."""
    marked = mark(asked, text)
    assert marked.outcome in {Outcome.RETYPE, Outcome.UNCLEAR}
    assert all(say(marked.message, language) for language in LANGUAGES)


@given(text=st.text(max_size=60) | st.text("0123456789()[]{}.,;x×*^/ -+√dhk_²\\e万%", max_size=40))
@settings(max_examples=200, deadline=None)
def test_no_text_breaks_the_checker(text):
    """Whatever is typed has a verdict, the same each time; nothing raises."""
    for asked in ALL:
        marked = mark(asked, text)
        assert marked == mark(asked, text)


SEPARATORS = [", ", ",", " ", " x ", "×", "; ", "*", "，", "、"]
BRACKETS = ["()", "[]", "{}", "（）", ("torch.Size([", "])"), ("", ""), ("$", "$")]


@given(
    shape=st.lists(st.integers(1, 10**5), min_size=2, max_size=6),
    separator=st.sampled_from(SEPARATORS),
    bracket=st.sampled_from(BRACKETS),
    other=st.lists(st.integers(1, 10**5), min_size=2, max_size=6),
)
@settings(deadline=None)
def test_any_shape_in_any_spelling(shape, separator, bracket, other):
    """A shape is right in each mixture of brackets and separators, and another one never is."""
    text = bracket[0] + separator.join(map(str, shape)) + bracket[1]
    assert mark(Asked("shape", tuple(shape)), text).outcome is Outcome.RIGHT
    if other != shape:
        assert mark(Asked("shape", tuple(other)), text).outcome is Outcome.WRONG


@given(
    number=st.integers(0, 10**13), group=st.sampled_from([",", " ", "_", "'", "\u2009", "，"]), off=st.integers(1, 99)
)
@settings(deadline=None)
def test_any_count_in_any_grouping(number, group, off):
    """A count is exact: right however its digits are grouped, wrong one beside it."""
    threes = f"{number:,}".replace(",", group)
    digits = str(number)
    first = len(digits) % 4 or 4
    fours = group.join([digits[:first], *(digits[i : i + 4] for i in range(first, len(digits), 4))])
    asked = Asked("number", Fraction(number))
    assert mark(asked, threes).outcome is Outcome.RIGHT
    assert mark(asked, fours).outcome is Outcome.RIGHT
    assert mark(asked, digits).outcome is Outcome.RIGHT
    assert mark(Asked("number", Fraction(number + off)), threes).outcome is Outcome.WRONG


@given(key=st.integers(-5000, 5000), tolerance=st.integers(1, 300))
@settings(deadline=None)
def test_tolerance_is_symmetrical_and_includes_its_edges(key, tolerance):
    """Key plus or minus the tolerance is right, a hair beyond it is wrong, without any rounding of binary numbers."""
    asked = Asked("number", Fraction(key, 1000), tolerance=Fraction(tolerance, 1000))
    for sign in (-1, 1):
        edge = Fraction(key + sign * tolerance, 1000)
        beyond = edge + Fraction(sign, 10**6)
        assert mark(asked, f"{float(edge):.3f}").outcome is Outcome.RIGHT
        assert mark(asked, f"{float(beyond):.6f}").outcome is Outcome.WRONG


names = st.sampled_from(["d_model", "h", "d_k", "L", "B", "2", "3", "7"])
formulas = st.recursive(
    names,
    lambda inner: (
        st.tuples(inner, st.sampled_from(["+", "-", "*"]), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})")
        | inner.map(lambda text: f"({text})^2")
        | inner.map(lambda text: f"sqrt(({text})^2 + 1)")
    ),
    max_leaves=8,
)


@given(text=formulas)
@settings(max_examples=50, deadline=None)
def test_a_formula_is_echoed_as_what_it_is(text):
    """What is echoed of a formula has the same value as what was typed."""
    formula = parse_formula(text)
    assert same(parse_formula(formula.shown).readings[0], formula.readings[0])


@given(text=formulas)
@settings(max_examples=50, deadline=None)
def test_a_formula_equals_itself_and_not_itself_plus_one(text):
    """The checker compares by value: the same formula is right, one more is wrong."""
    assert mark(Asked("formula", text), text).outcome is Outcome.RIGHT
    assert mark(Asked("formula", text), f"({text}) + 1").outcome is Outcome.WRONG


@given(
    vector=st.lists(st.integers(-999, 999), min_size=2, max_size=6), separator=st.sampled_from([", ", " ", ";", "、"])
)
@settings(deadline=None)
def test_any_vector_in_any_spelling(vector, separator):
    """A row of numbers is right with any separator, and wrong with its first number changed."""
    key = tuple(Fraction(each, 100) for each in vector)
    text = separator.join(f"{each / 100:.2f}" for each in vector)
    assert mark(Asked("vector", key), text).outcome is Outcome.RIGHT
    assert mark(Asked("vector", (key[0] + 1, *key[1:])), text).outcome is Outcome.WRONG


@given(parts=st.lists(st.integers(1, 9), min_size=1, max_size=8))
@settings(deadline=None)
def test_chinese_numerals_are_read(parts):
    """A number written out with 万, and mixed with digits, is the number."""
    number = int("".join(map(str, parts)))
    head, tail = divmod(number, 10**4)
    text = f"{head}万{tail:04}" if head else str(tail)
    assert mark(Asked("number", Fraction(number)), text).outcome is Outcome.RIGHT


def test_a_value_is_shown_in_a_spelling_that_is_taken():
    """The key as it is shown is a right answer."""
    for asked in ALL:
        assert mark(asked, show_value(asked.kind, asked.key)).outcome is Outcome.RIGHT


@pytest.mark.parametrize(
    ("text", "several", "picked"),
    [
        ("2", False, (1,)),
        ("b", False, (1,)),
        ("B.", False, (1,)),
        ("1,3", True, (0, 2)),
        ("ac", True, (0, 2)),
        ("13", True, (0, 2)),
    ],
)
def test_options_are_picked_by_number_or_letter(text, several, picked):
    """An option is named by its number or letter, several of them with or without commas."""
    assert read_picks(text, 4, several=several) == picked


@pytest.mark.parametrize(
    ("text", "several"), [("5", False), ("1 2", False), ("", True), ("x", False), ("0", True), ("19", True)]
)
def test_picks_that_are_not_there_are_sent_back(text, several):
    """What names no option is no answer."""
    with pytest.raises(UnreadableError):
        read_picks(text, 4, several=several)
