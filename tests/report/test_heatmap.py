"""Heat maps put a readable number into every cell, share one scale, and say the same to a screen reader."""

import re
from itertools import pairwise, product
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from markupsafe import Markup

import grader.report.html
from grader.model import Counterexample
from grader.report.grids import Window, compare
from grader.report.heatmap import LEVELS, Scale, draw, scale
from grader.report.svg import filled
from tests.report.samples import array, concat_example

SHADES = list(product(["light", "dark"], range(LEVELS)))
WINDOW = Window(rows=6, columns=6, panels=3)
CSS = (Path(grader.report.html.__file__).parent / "templates" / "report.css").read_text(encoding="utf-8")


def classes(svg):
    """Number in a cell -> class of its colour."""
    cells = ET.fromstring(svg).iter("g")  # noqa: S314  # made here, a moment ago
    return {cell.find("text").text: cell.get("class") for cell in cells}


def drawn(example):
    made = compare(example, WINDOW)
    colours = scale([made.expected, made.actual])
    return [draw("x", each, colours, "en")[0][1] for each in (made.expected, made.actual)]


def test_expected_and_actual_share_one_scale():
    """The same number has the same colour on both sides."""
    want, got = (classes(svg) for svg in drawn(concat_example()))
    assert want == got
    assert (want["1"], want["8"]) == ("q0", f"q{LEVELS - 1}")


def test_an_input_shares_the_scale_where_its_numbers_lie_inside():
    """Numbers that are only moved about keep their colour; other inputs have a scale of their own."""
    inside = Scale(0.0, 8.0)
    made = compare(concat_example(), WINDOW)
    assert scale([made.expected], within=inside) == inside
    assert scale([made.expected], within=Scale(0.0, 1.0)) == Scale(1.0, 8.0)


@pytest.mark.parametrize(
    ("low", "high", "value", "level"),
    [(0, 6, 0, 0), (0, 6, 6, 6), (0, 6, 3, 3), (2, 2, 2, 1), (-1.7e308, 1.7e308, 1.7e308, 6)],
)
def test_levels_run_from_lowest_to_highest(low, high, value, level):
    """The colour is linear in the number, for any finite range."""
    assert Scale(low, high).level(value) == level


def test_nan_and_text_have_no_colour():
    """What is no finite number is drawn without a place on the scale."""
    svg = drawn(Counterexample("f(x)", (), array([[0.0, 1.0]], "L S"), array([[np.nan, 1.0]], "L S"), (0, 0)))[1]
    assert classes(svg)["NaN"] == "none"


def test_one_frame_marks_the_first_wrong_element_and_corners_the_others():
    """The marks are shapes, so that they are seen without colour."""
    want, got = drawn(concat_example())
    assert (want.count('class="frame"'), want.count('class="corner"')) == (0, 0)
    assert (got.count('class="frame"'), got.count('class="corner"')) == (1, 3)


def test_the_text_alternative_holds_every_number():
    """A screen reader hears the name, the shape, each row and the first wrong element."""
    said = ET.fromstring(drawn(concat_example())[1]).get("aria-label")  # noqa: S314
    assert said == (
        "x, shape (L, d_model) = (2, 4). Row 0 (L): 1; 2; 3; 4. Row 1 (L): 5; 6; 7; 8. First wrong element: 3."
    )


def colours(scheme):
    """The custom properties of one colour scheme."""
    light, dark = re.findall(r":root \{(.*?)\}", CSS, flags=re.DOTALL)[:2]
    found = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", light))
    return found | (dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", dark)) if scheme == "dark" else {})


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(("scheme", "level"), SHADES)
def test_every_number_is_readable_on_its_colour(scheme, level):
    """The contrast of number and cell is at least 4.5, in light and in dark."""
    palette = colours(scheme)
    assert f".q{level} text" in CSS
    text = palette["low" if level < 4 else "high"]
    assert contrast(palette[f"q{level}"], text) >= 4.5


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_are_in_order_of_lightness(scheme):
    """Printed in grey, a larger number is still the darker cell, or on a dark screen the brighter one."""
    shades = [luminance(colours(scheme)[f"q{level}"]) for level in range(LEVELS)]
    assert shades == sorted(shades, reverse=scheme == "light")
    assert all(abs(a - b) > 0.004 for a, b in pairwise(shades))


@pytest.mark.parametrize(("scheme", "level"), SHADES)
def test_the_frame_stands_out_from_the_page(scheme, level):
    """The frame lies between a halo in the colour of the card and the cell: it is seen against the card."""
    palette = colours(scheme)
    assert contrast(palette["frame"], palette["card"]) >= 3
    assert luminance(palette["frame"]) != luminance(palette[f"q{level}"])


def test_what_is_drawn_is_escaped():
    """A template is filled as markupsafe would, quicker: text is escaped, what is markup already stays."""
    template = Markup('<text class="{0}" x="{1}">{2}{2}</text>')
    for values in (("a", 1, "<&\"'>{0}"), (Markup("b"), 1.5, Markup("<i>1</i>")), (True, -0.0, None)):
        assert filled(template, *values) == template.format(*values)
        assert type(filled(template, *values)) is Markup
