r"""Prepares the figures of a report: what each says in words, its drawings, and the same numbers as a table.

Drawn --> maps.py  (attention, a map for each head)   --> FigureView --> templates/figures.html
      \-> chart.py (lines against what is varied)     /
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import NamedTuple

from markupsafe import Markup

from grader.model import Drawn, Language, LineFigure, MapFigure, Message, Text
from grader.report.chart import Chart, key
from grader.report.maps import TokenMap
from grader.report.numerals import exact
from grader.report.visible import line, tell

TITLE, CAPTION, TOKEN, NAME, REASON = 120, 400, 12, 40, 300


class Picture(NamedTuple):
    """One drawing and whose numbers it shows, "" for a chart, which shows both."""

    whose: str
    svg: Markup


class PanelView(NamedTuple):
    """Drawings that belong together, expected first."""

    name: str  # "Head 0", "" where there is one panel without a name
    pictures: tuple[Picture, ...]


class TableView(NamedTuple):
    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    names: int  # columns in front that name a row


class FigureView(NamedTuple):
    kind: str  # "maps" or "chart", a class of the style sheet
    title: str
    caption: str
    panels: tuple[PanelView, ...]
    keys: tuple[tuple[Markup, str], ...]  # a mark and what it stands for
    legend: str  # "" where nothing of the submission is drawn
    troubles: tuple[str, ...]
    table: TableView
    summary: str


def figure_views(figures: Iterable[Drawn], language: Language) -> tuple[FigureView, ...]:
    """The figures of a report in their order, with ids that no two of them share."""
    made = []
    for number, drawn in enumerate(figures, start=1):
        words = _Words(language, f"figure-{number}")
        if isinstance(drawn.figure, MapFigure):
            made.append(_Maps(drawn, drawn.figure, words).view())
        else:
            made.append(_chart(drawn, drawn.figure, words))
    return tuple(made)


class _Words(NamedTuple):
    """The language of a page, and the start of the ids of one figure."""

    language: Language
    start: str

    def say(self, name: str, /, **fields: str | float) -> str:
        return tell(Message(f"figure.{name}", fields), self.language)

    def text(self, both: Text, most: int) -> str:
        return line(both.in_language(self.language), most)

    def reason(self, message: Message) -> str:
        return line(tell(message, self.language), REASON)


# --- maps --------------------------------------------------------------------------------------------------------


class _Maps:
    """One figure of attention weights."""

    def __init__(self, drawn: Drawn, figure: MapFigure, words: _Words) -> None:
        self._drawn = drawn
        self._words = words
        self._title = words.text(figure.title, TITLE)
        self._caption = words.text(figure.caption, CAPTION)
        self._queries = tuple(words.text(token, TOKEN) for token in figure.queries)
        self._keys = tuple(words.text(token, TOKEN) for token in figure.keys)
        self._several = len(drawn.expected) > 1
        heads = [words.say("head", number=place) for place in range(len(drawn.expected))]
        self._names = heads if self._several else [words.say("whole")]

    def view(self) -> FigureView:
        say, drawn = self._words.say, self._drawn
        return FigureView(
            kind="maps",
            title=self._title,
            caption=self._caption,
            panels=tuple(self._panel(place) for place in range(len(drawn.expected))),
            keys=(),
            legend=say("legend_maps") if drawn.actual else "",
            troubles=tuple(say("not_drawn", reason=self._words.reason(why)) for _, why in drawn.troubles),
            table=self._table(),
            summary=say("numbers"),
        )

    def _panel(self, place: int) -> PanelView:
        wanted = self._drawn.expected[place]
        pictures = [self._picture(place, "expected", wanted)]
        if self._drawn.actual:
            pictures.append(self._picture(place, "yours", self._drawn.actual[place], wanted))
        return PanelView(self._names[place], tuple(pictures))

    def _picture(
        self, place: int, whose: str, values: Sequence[float | None], wanted: Sequence[float] | None = None
    ) -> Picture:
        say = self._words.say
        drawing = TokenMap(self._queries, self._keys, values, wanted, say("query"), say("key"))
        title = say("spoken_map", name=self._names[place], whose=say(whose))
        return Picture(say(whose), drawing.svg(f"{self._words.start}-{place}-{whose}", title, self._said(values)))

    def _said(self, values: Sequence[float | None]) -> str:
        say, said = self._words.say, []
        for row, query in enumerate(self._queries):
            numbers = [_shown(value, self._words) for value in values[row * len(self._keys) :][: len(self._keys)]]
            cells = [
                say("spoken_cell", key=token, number=each) for token, each in zip(self._keys, numbers, strict=True)
            ]
            said.append(say("spoken_row", query=query, numbers=", ".join(cells)))
        return " ".join(said)

    def _table(self) -> TableView:
        rows = []
        for place in range(len(self._names)):
            wanted = self._drawn.expected[place]
            got = self._drawn.actual[place] if self._drawn.actual else (None,) * len(wanted)
            pairs = product(self._queries, self._keys)
            for (query, token), want, have in zip(pairs, wanted, got, strict=True):
                rows.append((*((str(place),) * self._several), query, token, exact(want), _shown(have, self._words)))
        say = self._words.say
        head = (*((say("column_head"),) * self._several), say("query"), say("key"))
        return _table(self._title, head, rows, self._words)


# --- charts ------------------------------------------------------------------------------------------------------


def _chart(drawn: Drawn, figure: LineFigure, words: _Words) -> FigureView:
    labels = [words.text(each.label, NAME) for each in figure.lines]
    x_name, y_name = words.text(figure.x_name, NAME), words.text(figure.y_name, NAME)
    chart = Chart(figure.x, drawn.expected, drawn.actual, x_name, y_name, logarithmic=figure.logarithmic)
    title = words.text(figure.title, TITLE)
    spoken = f"{title}. {words.say('spoken_chart', x=x_name, y=y_name)}"
    left_out = [_left_out(chart, place, label, x_name, words) for place, label in enumerate(labels)]
    troubles = [
        words.say("line_not_drawn", label=labels[place], reason=words.reason(why)) for place, why in drawn.troubles
    ]
    seen = any(value is not None for values in drawn.actual for value in values)
    return FigureView(
        kind="chart",
        title=title,
        caption=words.text(figure.caption, CAPTION),
        panels=(PanelView("", (Picture("", chart.svg(words.start, spoken, _said(drawn, labels, figure, words))),)),),
        keys=tuple((key(place), label) for place, label in enumerate(labels)),
        legend=words.say("legend_lines") if seen else "",
        troubles=(*troubles, *filter(None, left_out)),
        table=_table_of_lines(drawn, title, labels, x_name, words),
        summary=words.say("numbers"),
    )


def _said(drawn: Drawn, labels: Sequence[str], figure: LineFigure, words: _Words) -> str:
    """The lines in words, for who does not see them."""
    said = []
    for whose, lines in (("expected", drawn.expected), ("yours", drawn.actual)):
        for label, values in zip(labels, lines, strict=True):
            points = [
                words.say("spoken_point", x=exact(x), number=_shown(value, words))
                for x, value in zip(figure.x, values, strict=True)
            ]
            said.append(words.say("spoken_line", label=label, whose=words.say(whose), numbers=", ".join(points)))
    return " ".join(said)


def _left_out(chart: Chart, place: int, label: str, x_name: str, words: _Words) -> str:
    """Which points of a line have a value that the chart has no place for, "" where none."""
    points = [(x, value) for x, value in chart.left_out(place) if value is not None]
    if not points:
        return ""
    xs, values = (", ".join(exact(each) for each in column) for column in zip(*points, strict=True))
    return words.say("points_left_out", label=label, x_name=x_name, x=xs, values=values)


def _table_of_lines(drawn: Drawn, title: str, labels: Sequence[str], x_name: str, words: _Words) -> TableView:
    assert isinstance(drawn.figure, LineFigure)  # noqa: S101 - the caller has looked
    rows = []
    for place, label in enumerate(labels):
        columns = zip(drawn.figure.x, drawn.expected[place], drawn.actual[place], strict=True)
        rows += [(label, exact(x), exact(want), _shown(got, words)) for x, want, got in columns]
    return _table(title, ("", x_name), rows, words)


def _table(title: str, names: Sequence[str], rows: Sequence[tuple[str, ...]], words: _Words) -> TableView:
    head = (*names, words.say("expected"), words.say("yours"))
    return TableView(words.say("table_caption", title=title), head, tuple(rows), names=len(names))


def _shown(value: float | None, words: _Words) -> str:
    return words.say("no_value") if value is None else exact(value)
