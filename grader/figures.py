"""Reads the figures that an exercise.toml declares for the report: `[[figure]]`, each of one kind.

    kind = "attention"   a map of weights for each head, with tokens on both axes
    kind = "lines"       some numbers against one that is varied

The numbers come from functions of the exercise's `figures.py`, which are asked of the submission and of the reference.
"""

from __future__ import annotations

from grader.model import Figure, FigureLine, LineFigure, MapFigure, Text
from grader.strict_toml import Table

KINDS = ("attention", "lines")
AXES = ("linear", "logarithmic")
MOST_TOKENS = 12
MOST_LINES = 2  # more than two, each with its expected one, cannot be told apart


def declared_figures(table: Table) -> tuple[Figure, ...]:
    """The figures of an exercise in their order; raises ContentError for one that is not well written."""
    return tuple(_figure(each) for each in table.array("figure", optional=True))


def _figure(table: Table) -> Figure:
    figure = _maps(table) if table.one_of("kind", KINDS) == "attention" else _chart(table)
    table.close()
    return figure


def _maps(table: Table) -> MapFigure:
    return MapFigure(
        title=table.text("title"),
        caption=table.text("caption"),
        ask=table.identifier("ask"),
        queries=_tokens(table, "queries"),
        keys=_tokens(table, "keys"),
    )


def _tokens(table: Table, field: str) -> tuple[Text, ...]:
    tokens = tuple(token.whole_text() for token in table.array(field))
    if len(tokens) > MOST_TOKENS:
        raise table.error(field, f"{len(tokens)} tokens", f"write at most {MOST_TOKENS}, so that they can be read")
    return tokens


def _chart(table: Table) -> LineFigure:
    x, logarithmic = table.numbers("x"), table.one_of("axes", AXES) == "logarithmic"
    if logarithmic and x[0] <= 0:
        raise table.error("x", repr(x[0]), "write numbers above 0: the axes are logarithmic")
    lines = table.array("line")
    if len(lines) > MOST_LINES:
        raise table.error("line", f"{len(lines)} lines", f"write at most {MOST_LINES}")
    return LineFigure(
        title=table.text("title"),
        caption=table.text("caption"),
        x_name=table.text("x_name"),
        y_name=table.text("y_name"),
        x=x,
        logarithmic=logarithmic,
        lines=tuple(_line(line) for line in lines),
    )


def _line(table: Table) -> FigureLine:
    line = FigureLine(table.identifier("ask"), table.text("label"))
    table.close()
    return line
