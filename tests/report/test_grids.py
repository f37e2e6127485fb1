"""Arrays are cut into small tables that show the numbers that matter, in as few digits as tell them apart."""

import math
from dataclasses import replace

import numpy as np
import pytest

from grader.model import Counterexample, Shown
from grader.report.grids import Window, compare, grid, number_format, shape_text
from tests.report.samples import array, concat_example

WINDOW = Window(rows=4, columns=4, panels=2)


def texts(made):
    return [[[cell.text for cell in row] for row in panel.rows] for panel in made.panels]


def draw(values, axes, window=WINDOW):
    shown = array(values, axes)
    return grid(shown, number_format(shown.values), window)


def example(want, got, axes, first_wrong):
    return Counterexample("f(x)", (), array(want, axes), array(got, axes), first_wrong)


def test_the_last_two_axes_make_a_panel_and_further_ones_count_panels():
    """A 3-D array gives one panel for each index of its first axis, named by it."""
    made = draw(np.arange(1, 9).reshape(2, 2, 2), "h L d_v")
    assert texts(made) == [[["1", "2"], ["3", "4"]], [["5", "6"], ["7", "8"]]]
    assert [panel.at for panel in made.panels] == ["h [0]", "h [1]"]
    assert (made.panels[0].row_axis, made.panels[0].column_axis) == ("L", "d_v")
    assert made.shape == "(h, L, d_v) = (2, 2, 2)"


def test_a_vector_is_one_row_and_a_number_one_cell():
    """Fewer than two axes are shown as they are, without made-up axis names."""
    assert texts(draw([1, 2, 3], "L")) == [[["1", "2", "3"]]]
    assert draw([1, 2, 3], "L").panels[0].row_axis == ""
    assert texts(draw(7, "")) == [[["7"]]]


def test_axes_without_names_are_numbered():
    """An answer of the wrong rank has no names for its axes, and gets none that could mislead."""
    shown = replace(array(np.zeros((2, 3)), "x y"), axes=("L",))
    made = grid(shown, number_format(shown.values), WINDOW)
    assert (made.panels[0].row_axis, made.panels[0].column_axis, made.shape) == ("axis 0", "axis 1", "(2, 3)")
    assert shape_text(replace(shown, axes=())) == "(2, 3)"


def test_a_large_array_is_cut_and_says_so():
    """Only the window is drawn, and the grid knows that something is missing."""
    made = draw(np.zeros((9, 9, 9)), "h L S")
    assert made.cut
    assert (len(made.panels), len(made.panels[0].rows), len(made.panels[0].rows[0])) == (2, 4, 4)
    assert not draw(np.zeros((2, 4, 4)), "h L S").cut


def test_the_first_wrong_element_is_always_inside_the_window():
    """Rows, columns and panels move to where the first wrong element is, in both arrays alike."""
    want = np.zeros((5, 20, 30))
    got = want.copy()
    got[4, 18, 29] = 1
    made = compare(example(want, got, "h L S", (4, 18, 29)), WINDOW)
    for each in (made.expected, made.actual):
        last = each.panels[-1]
        assert (last.at, 18 in last.row_numbers, 29 in last.column_numbers) == ("h [4]", True, True)
    ringed = [cell.text for panel in made.actual.panels for row in panel.rows for cell in row if cell.first_wrong]
    assert ringed == ["1"]
    assert made.first_wrong == "[4,18,29] (h, L, S)"


def test_wrong_elements_are_marked_in_the_answer_only():
    """The expected array carries no marks; in the answer the first wrong element differs from the others."""
    made = compare(concat_example(), WINDOW)
    marks = [[(cell.first_wrong, cell.wrong) for cell in row] for row in made.actual.panels[0].rows]
    assert marks[0] == [(False, False), (False, False), (True, True), (False, True)]
    assert not any(cell.wrong or cell.first_wrong for row in made.expected.panels[0].rows for cell in row)
    assert (made.expected_there, made.actual_there) == ("5", "3")


def test_without_equal_shapes_nothing_is_marked():
    """Where the shapes differ there is no element to point at."""
    made = compare(Counterexample("f(x)", (), array([[1, 2]], "L d"), array([[1], [2]], "d L"), None), WINDOW)
    assert made.first_wrong == ""
    assert not any(cell.wrong for row in made.actual.panels[0].rows for cell in row)


def test_noise_below_the_tolerance_is_not_marked():
    """Two floats that a check would call equal are equal here too, by the tolerance of their dtype."""
    want = np.array([[0.5, 0.25]])
    made = compare(example(want, want + np.array([[1e-12, 0.1]]), "L S", (0, 1)), WINDOW)
    assert [cell.wrong for cell in made.actual.panels[0].rows[0]] == [False, True]
    narrow = want.astype(np.float32)
    made = compare(example(narrow, narrow + np.float32([[1e-6, 0.1]]), "L S", (0, 1)), WINDOW)
    assert [cell.wrong for cell in made.actual.panels[0].rows[0]] == [False, True]


def test_nan_is_wrong_and_infinity_equals_itself():
    """NaN never matches, not even NaN; the same infinity on both sides is no difference."""
    want, got = np.array([[math.nan, math.inf, 1.0]]), np.array([[math.nan, math.inf, -math.inf]])
    made = compare(example(want, got, "L S", (0, 0)), WINDOW)
    assert [cell.wrong for cell in made.actual.panels[0].rows[0]] == [True, False, True]
    assert [cell.value for cell in made.actual.panels[0].rows[0]] == [None, None, None]
    assert texts(made.actual) == [[["NaN", "inf", "-inf"]]]


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ([1.0, 2.0, -0.0], ["1", "2", "0"]),
        ([0.5, 0.25, 1.0], ["0.50", "0.25", "1.00"]),
        ([0.1234567, 0.5], ["0.123", "0.500"]),
        ([1e-7, 2.5e-7], ["1e-07", "2.5e-07"]),
        ([123456.5, 1.0], ["1.23e+05", "1"]),
        ([True, False], ["True", "False"]),
        ([3, -12], ["3", "-12"]),
        (["1+2j", "x" * 50], ["1+2j", "x" * 12 + "…"]),
        ([2**700, -(2**700)], ["2^700…", "-2^700…"]),
    ],
)
def test_numbers_are_short(values, shown):
    """As few digits as needed, the same for a whole array; other values as short text."""
    form = number_format(values)
    assert [form(value) for value in values] == shown


def test_digits_are_added_until_the_first_wrong_pair_differs():
    """Two numbers that look the same would teach nothing."""
    form = number_format([0.5, 0.50001], (0.5, 0.50001))
    assert form(0.5) != form(0.50001)
    form = number_format([0.0, 1e-9, 0.5], (0.0, 1e-9))
    assert (form(0.0), form(1e-9)) == ("0", "1e-09")


def test_values_that_did_not_come_along_are_a_dot():
    """A large array may carry its first values only; the rest is left open."""
    shown = Shown("array", ("L",), (4,), "int64", (1, 2))
    assert texts(grid(shown, number_format(shown.values), WINDOW)) == [[["1", "2", "·", "·"]]]


@pytest.mark.parametrize("shown", [Shown("text", text="None"), array(np.zeros((0, 3)), "L S")])
def test_what_has_no_elements_has_no_grid(shown):
    """Text, errors and empty arrays are told in words."""
    assert grid(shown, number_format(()), WINDOW) is None


def test_a_huge_shape_takes_no_memory():
    """Only the window of an array is ever walked, whatever its shape claims."""
    shown = Shown("array", ("a", "b", "c"), (10**12, 10**12, 10**12), "float64", (1.0,))
    assert len(grid(shown, number_format(shown.values), WINDOW).panels) == 2
