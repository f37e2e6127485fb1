"""Draws attention weights as a map: queries down, keys across, each cell with its number, as inline SVG.

The colours are those of `heatmap`, from 0 to 1 whatever the numbers are, so that two maps can be compared. A cell that
differs from what is expected has a corner, a shape that needs no colour.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from markupsafe import Markup

from grader.report.heatmap import Scale
from grader.report.numerals import short
from grader.report.svg import TEXT, described, filled

WIDTH, HEIGHT = 46, 40  # of a cell, in px
NARROW, WIDE = 7.2, 14  # px of one character of a token
LETTER = 8.2  # px of one character of a number
GAP = 8
TOP = 42
WEIGHTS = Scale(0.0, 1.0)
TOLERANCE = 1e-5

_CELL = Markup('<g class="{}"><rect x="{}" y="{}" width="{}" height="{}"/>{}</g>')
_CORNER = Markup('<path class="corner" d="M{} {}h-12l12 12z"/>')


class TokenMap(NamedTuple):
    """One table of weights with tokens on both axes."""

    queries: Sequence[str]
    keys: Sequence[str]
    values: Sequence[float | None]  # in C order
    wanted: Sequence[float] | None  # where given, cells that differ from it are marked
    query_name: str
    key_name: str

    def svg(self, name: str, title: str, description: str) -> Markup:
        """The drawing; `name` starts its ids."""
        left = math.ceil(GAP + max(map(_length, (*self.queries, self.query_name))))
        longest = max((len(short(value)) for value in self.values if value is not None), default=0)
        width = max(WIDTH, math.ceil(10 + LETTER * longest), math.ceil(6 + max(map(_length, self.keys))))
        parts = Markup("").join([*self._margins(left, width), *self._cells(left, width)])
        whole, high = left + width * len(self.keys) + 2, TOP + HEIGHT * len(self.queries) + 2
        return described(parts, kind="map", name=name, title=title, description=description, size=(whole, high))

    def _margins(self, left: int, width: int) -> Iterable[Markup]:
        yield filled(TEXT, "axis mid", left + width * len(self.keys) // 2, 9, self.key_name)
        yield filled(TEXT, "axis end", left - GAP, 30, self.query_name)
        for place, token in enumerate(self.keys):
            yield filled(TEXT, "token mid", left + width * place + width // 2, 30, token)
        for place, token in enumerate(self.queries):
            yield filled(TEXT, "token end", left - GAP, TOP + HEIGHT * place + HEIGHT // 2, token)

    def _cells(self, left: int, width: int) -> Iterable[Markup]:
        for place, value in enumerate(self.values):
            row, column = divmod(place, len(self.keys))
            x, y = left + width * column, TOP + HEIGHT * row
            drawable = value is not None and math.isfinite(value)
            level = f"q{WEIGHTS.level(value)}" if drawable and value is not None else "none"
            number = filled(TEXT, "mid", x + width // 2, y + HEIGHT // 2, "" if value is None else short(value))
            yield filled(_CELL, level, x + 1, y + 1, width - 2, HEIGHT - 2, number)
            if self.wanted is not None and not _same(value, self.wanted[place]):
                yield filled(_CORNER, x + width - 1, y + 1)


def _same(value: float | None, wanted: float) -> bool:
    return value is not None and abs(value - wanted) <= TOLERANCE * (1 + abs(wanted))


def _length(token: str) -> float:
    """Roughly how many px a token takes."""
    return sum(WIDE if unicodedata.east_asian_width(c) in "WF" else NARROW for c in token)
