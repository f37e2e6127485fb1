"""Lines of a terminal hold English words whole, break Chinese where a typesetter would, and are never too wide."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from grader.report.wrap import cut, wrap


def test_words_stay_whole():
    """A line ends between words."""
    assert wrap("the heads are merged in order", 12) == ["the heads", "are merged", "in order"]


def test_chinese_breaks_between_characters_but_not_before_a_closing_mark():
    """A comma or full stop stays with the character before it, so that no line starts with one."""
    assert wrap("输出的形状不对，应为二维。", 16) == ["输出的形状不对，", "应为二维。"]
    assert wrap("输出的形状不对，应为二维。", 14) == ["输出的形状不", "对，应为二维。"]


def test_an_opening_mark_stays_with_what_it_opens():
    """No line ends with an opening bracket or quotation mark."""
    assert wrap("注意力（每个头）", 8) == ["注意力", "（每个", "头）"]


def test_a_word_wider_than_the_line_is_cut():
    """A path or a number without spaces may not run over the edge."""
    assert wrap("abcdefghij", 4) == ["abcd", "efgh", "ij"]


def test_nothing_is_one_empty_line():
    """An empty text still has its line."""
    assert wrap("", 10) == [""]


@given(st.text(alphabet="ab 中文，。（）x_-", max_size=60), st.integers(4, 30))
def test_no_line_is_too_wide_and_nothing_is_lost(text, width):
    """Whatever the text, every line fits and every character but spaces is still there, in order."""
    lines = wrap(text, width)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert max(map(cell_len, lines)) <= width


@pytest.mark.parametrize(("text", "width", "shown"), [("abc", 3, "abc"), ("abcd", 3, "ab…"), ("注意力", 5, "注意…")])
def test_a_line_can_be_cut_by_cells(text, width, shown):
    """Wide characters count as two cells; what is missing is marked."""
    assert cut(text, width) == shown
