"""Nothing that could steer a terminal, reorder a line or hide survives `grader.report.visible`."""

import pytest

from grader.model import Message
from grader.report.visible import CODE, LINE, block, code_line, line, tell, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", "␛[31mred"),
        ("a\x00b", "a␀b"),
        ("\x7f", "␡"),
        ("\x9b31m", "<U+009B>31m"),
        ("\u202eabc", "<U+202E>abc"),
        ("\u2066x\u2069", "<U+2066>x<U+2069>"),
        ("\ud800", "<U+D800>"),
        ("\ufffe", "<U+FFFE>"),
        ("a\u200bb", "a<U+200B>b"),
    ],
)
def test_steering_characters_are_spelt_out(text, shown):
    """A control, format, surrogate or unassigned character is replaced by something that can be seen."""
    assert visible(text) == shown


@pytest.mark.parametrize("text", ["注意力：多头 (h, L, d_k)", "a\tb\nc", "√d_k · naïve", "全角\u3000空格", "x\u0301"])
def test_ordinary_text_stays_as_it_is(text):
    """Chinese, accents, line ends, tabs and wide spaces are no danger and are kept."""
    assert visible(text) == text


def test_a_tower_of_accents_is_cut_to_three():
    """Many marks on one letter would cover the lines above it."""
    assert visible("e" + "\u0301" * 40) == "e" + "\u0301" * 3


def test_a_line_is_one_line_and_has_an_end():
    """Line ends become spaces, and what is too long is cut with an ellipsis."""
    assert line("a\r\n b\x0bc") == "a b c"
    assert line("x" * LINE) == "x" * LINE
    assert line("x" * 100_000) == "x" * LINE + "…"
    assert len(line("\u202e" * 100_000)) == LINE + 1


def test_a_line_of_code_keeps_its_indentation():
    """Spaces at the start of a line of code mean something; tabs become four spaces."""
    assert code_line("    return x\n") == "    return x"
    assert code_line("\treturn x") == "    return x"
    assert len(code_line("y" * 100_000)) == CODE + 1


def test_a_block_counts_what_it_leaves_out():
    """The first lines are shown and the others counted; nothing printed is no line at all."""
    shown = block("1\r\n2\n3\n4\n", 2)
    assert (shown.lines, shown.left_out) == (("1", "2"), 2)
    assert block("", 5).lines == ()
    assert block("\n\n", 5).lines == ()


def test_fields_of_a_message_are_made_visible_and_cut():
    """A sentence is ours, but what fills its braces may be a student's."""
    said = tell(Message("report.case", {"case": "\x1b[2J{0.__class__}" + "z" * 1000}), "en")
    assert said.startswith("With ␛[2J{0.__class__}zz")
    assert len(said) < LINE + 10
