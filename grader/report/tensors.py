"""Draws one table of numbers with a name for each row, and above its columns the bands of the heads that own them.

A head has a colour and a pattern, both in its band, so that it is known without the one or the other. Colours of
numbers and marks of wrong cells are those of `heatmap`.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from markupsafe import Markup

from grader.report.grids import Cell
from grader.report.heatmap import HEIGHT, LETTER, Scale
from grader.report.svg import TEXT, described, filled

NARROW, WIDE = 7.6, 14.5  # px of one character of a name
LEAST = 42  # px, of a cell
GAP, BAND, HEAD = 8, 10, 22  # px: beside the names of rows; height of a band; height of the names of columns
PATTERNS = 6  # heads that are told apart

_CELL = Markup('<g class="{}"><rect x="{}" y="{}" width="{}" height="{}"/>{}</g>')
_FRAME = Markup('<rect class="{}" x="{}" y="{}" width="{}" height="{}" rx="5"/>')
_CORNER = Markup('<path class="corner" d="M{} {}h-12l12 12z"/>')
_BAND = Markup('<rect class="band h{}" x="{}" y="1" width="{}" height="{}" rx="2"/>')


class Table(NamedTuple):
    """A table of numbers.

    Attributes:
        rows, columns: their names.
        cells: row by row.
        bands: the heads that own the columns, from left to right; each owns as many.
        colours: the range of numbers that the colours stand for.
    """

    rows: Sequence[str]
    columns: Sequence[str]
    cells: Sequence[Sequence[Cell]]
    bands: Sequence[int]
    colours: Scale

    def svg(self, name: str, title: str, description: str) -> Markup:
        """The drawing; `name` starts its ids."""
        parts = Markup("").join([*self._margins(), *self._numbers(), *self._marks()])
        size = (self._left + self._width * len(self.columns) + 3, self._top + HEIGHT * len(self.rows) + 3)
        return described(parts, kind="map tensor", name=name, title=title, description=description, size=size)

    @property
    def _left(self) -> int:
        return math.ceil(GAP + 2 + max(map(_length, self.rows)))

    @property
    def _top(self) -> int:
        return HEAD + (BAND + 4 if self.bands else 0)

    @property
    def _width(self) -> int:
        longest = max(len(cell.text) for row in self.cells for cell in row)
        return max(LEAST, math.ceil(12 + LETTER * longest), math.ceil(6 + max(map(_length, self.columns))))

    def _margins(self) -> Iterable[Markup]:
        share = self._width * len(self.columns) // max(1, len(self.bands))
        for place, head in enumerate(self.bands):
            yield filled(_BAND, head % PATTERNS, self._left + share * place + 1, share - 2, BAND)
        for place, name in enumerate(self.columns):
            yield filled(TEXT, "token mid", self._left + self._width * place + self._width // 2, self._top - 10, name)
        for place, name in enumerate(self.rows):
            yield filled(TEXT, "token end", self._left - GAP, self._top + HEIGHT * place + HEIGHT // 2, name)

    def _numbers(self) -> Iterable[Markup]:
        for x, y, cell in self._places():
            level = "none" if cell.value is None else f"q{self.colours.level(cell.value)}"
            number = filled(TEXT, "mid", x + self._width // 2, y + HEIGHT // 2, cell.text)
            yield filled(_CELL, level, x + 1, y + 1, self._width - 2, HEIGHT - 2, number)

    def _marks(self) -> Iterable[Markup]:
        """Drawn last, over the cells."""
        for x, y, cell in self._places():
            if cell.first_wrong:
                yield filled(_FRAME, "halo", x, y, self._width, HEIGHT)
                yield filled(_FRAME, "frame", x, y, self._width, HEIGHT)
            elif cell.wrong:
                yield filled(_CORNER, x + self._width - 1, y + 1)

    def _places(self) -> Iterable[tuple[int, int, Cell]]:
        for j, row in enumerate(self.cells):
            for i, cell in enumerate(row):
                yield self._left + self._width * i, self._top + HEIGHT * j, cell


def _length(name: str) -> float:
    """Roughly how many px a name takes."""
    return sum(WIDE if unicodedata.east_asian_width(c) in "WF" else NARROW for c in name)
