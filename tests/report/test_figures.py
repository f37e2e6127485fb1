"""Figures say in words and in a table what they show in lines and colours, and show nothing that cannot be drawn."""

import re
from dataclasses import replace

import pytest

from grader.model import LANGUAGES
from grader.report.chart import Chart
from grader.report.figures import figure_views
from grader.report.html import html_report
from grader.report.json import json_report
from grader.report.numerals import exact, short, tick
from tests.report.samples import SPREADS, WEIGHTS, accepted, all_reports, course, figures_of

NAN, INF = float("nan"), float("inf")
REPORTS = {name: report for name, report in all_reports().items() if report.figures}
every_report = pytest.mark.parametrize("name", REPORTS)
every_language = pytest.mark.parametrize("language", LANGUAGES)


@every_report
@every_language
def test_every_drawing_has_a_title_and_a_description_of_its_own(name, language):
    """Each picture is one image with a title and a description, and no id is there twice."""
    page = html_report(REPORTS[name], course(), language)
    pictures = re.findall(
        r'<svg class="(?:map|lines)" role="img" aria-labelledby="(\S+)" aria-describedby="(\S+)"', page
    )
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert pictures
    assert {each for pair in pictures for each in pair} <= set(ids)
    assert len(ids) == len(set(ids))


@every_report
@every_language
def test_the_table_holds_every_number_twice(name, language):
    """A row for each cell or point, with its names, the expected value and the submission's."""
    for view, drawn in zip(figure_views(REPORTS[name].figures, language), REPORTS[name].figures, strict=True):
        assert len(view.table.rows) == sum(map(len, drawn.expected))
        assert {len(row) for row in view.table.rows} == {len(view.table.head)}
        assert [row[-2] for row in view.table.rows] == [exact(v) for values in drawn.expected for v in values]


def test_right_values_have_no_corner_and_no_complaint():
    """Where the submission is right, both maps are alike and nothing is said to be missing."""
    for view in figure_views(figures_of(WEIGHTS, SPREADS).figures, "en"):
        assert view.troubles == ()
        assert view.legend
        assert not any("corner" in picture.svg for panel in view.panels for picture in panel.pictures)


def test_each_wrong_cell_has_a_corner():
    """A corner marks a cell that differs, on the submission's map alone."""
    wrong = ((*WEIGHTS[0][:-1], NAN), WEIGHTS[1])
    view = figure_views(figures_of(wrong, SPREADS).figures, "en")[0]
    corners = [[picture.svg.count("corner") for picture in panel.pictures] for panel in view.panels]
    assert corners == [[0, 1], [0, 0]]


@every_language
def test_what_cannot_be_drawn_is_said(language):
    """A map of another shape is not drawn; a point that is NaN, infinite or far off is named with its value."""
    maps, lines = figure_views(figures_of((), ((2.1, NAN, INF, 1e300, 32.4), SPREADS[1])).figures, language)
    assert [len(panel.pictures) for panel in maps.panels] == [1, 1]
    assert "(3, 3)" in maps.troubles[0]
    assert len(lines.troubles) == 1
    assert "16, 64, 256" in lines.troubles[0]
    assert "NaN, ∞, 1e+300" in lines.troubles[0]


@pytest.mark.parametrize("logarithmic", [True, False])
@pytest.mark.parametrize("value", [NAN, INF, -INF, 0.0, -0.0, -1.0, 1e308, -1e308, 5e-324, None])
def test_any_value_leaves_a_chart_that_can_be_read(logarithmic, value):
    """Whatever stands among the values, every place in the drawing is a finite number inside it."""
    actual = ((2.0, value, 8.0, 16.0, 32.0), (value,) * 5)
    chart = Chart((4, 16, 64, 256, 1024), SPREADS, actual, "x", "y", logarithmic=logarithmic)
    drawing = chart.svg("f", "title", "words")
    assert "nan" not in drawing.lower()
    assert "inf" not in drawing.lower()
    for numbers in re.findall(r' d="([^"]+)"', drawing):
        assert all(-20 <= float(number) <= 400 for number in re.findall(r"-?\d+\.?\d*", numbers))


@pytest.mark.parametrize("logarithmic", [True, False])
def test_a_constant_line_has_an_axis(logarithmic):
    """Equal values, of right code and of the submission's, still give a chart."""
    values = ((3.0, 3.0),)
    assert "M" in Chart((1, 2), values, values, "x", "y", logarithmic=logarithmic).svg("f", "title", "words")


def test_numbers_are_written_short_in_cells_and_longer_in_tables():
    """The forms of a number: in a cell, in a table, on an axis."""
    assert [short(v) for v in (0.2, 1.0, -0.0, 1 / 3, 123.4, 1e-9, 1e300, NAN, -INF)] == [
        *("0.20", "1", "0", "0.33", "123.4", "1e-09", "1e+300", "NaN", "-∞")
    ]
    assert [exact(v) for v in (0.2, 1 / 3, 1024, 1e300, NAN)] == ["0.2", "0.3333", "1024", "1e+300", "NaN"]
    assert [tick(v) for v in (0.5, 20, 1e-8, 2e5)] == ["0.5", "20", "10⁻⁸", "2·10⁵"]


def test_figures_stay_on_the_page():
    """The JSON report of a submission is the same with figures as without."""
    assert json_report(figures_of(WEIGHTS, SPREADS)) == json_report(replace(accepted(), figures=()))
    assert "figure-1" not in html_report(accepted(), course(), "en")
