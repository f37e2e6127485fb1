"""Draws the panels of an array as heat maps: inline SVG with the number in each cell, coloured by the page's own style.

Colour is a class `q0` (lowest) to `q6` (highest), so that light, dark and printed pages choose their own shades, each
of them readable under its number. The frame and the corners that mark wrong elements are shapes, not colours.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from markupsafe import Markup

from grader.model import Language, Message
from grader.report.grids import Cell, Grid, Panel
from grader.report.svg import TEXT, filled
from grader.report.visible import tell

LEVELS = 7
HEIGHT = 40  # of a cell, in px; its width follows the longest number
LETTER = 9  # px of one character of a number
SMALL = 7.6  # px of one character of an axis name

_SVG = Markup('<svg class="heat" role="img" aria-label="{}" viewBox="0 0 {} {}" width="{}" height="{}">{}</svg>')
_CELL = Markup('<g class="{}"><rect x="{}" y="{}" width="{}" height="{}"/>{}</g>')
_FRAME = Markup('<rect class="{}" x="{}" y="{}" width="{}" height="{}" rx="5"/>')
_CORNER = Markup('<path class="corner" d="M{} {}h-12l12 12z"/>')


class Scale(NamedTuple):
    """The range of numbers that the colours stand for."""

    low: float
    high: float

    def level(self, value: float) -> int:
        """0 for the lowest number, LEVELS - 1 for the highest; one number alone sits low."""
        if not self.high > self.low:
            return 1
        # halved first: the range of two huge numbers is infinite
        share = (value / 2 - self.low / 2) / (self.high / 2 - self.low / 2)
        return round(min(1.0, max(0.0, share)) * (LEVELS - 1))


def scale(grids: Iterable[Grid | None], within: Scale | None = None) -> Scale:
    """One scale for all these arrays; `within` itself where their numbers all lie inside it."""
    cells = (c for grid in grids if grid for panel in grid.panels for row in panel.rows for c in row)
    numbers = [cell.value for cell in cells if cell.value is not None] or [0.0]
    own = Scale(min(numbers), max(numbers))
    return within if within and within.low <= own.low and own.high <= within.high else own


def draw(name: str, grid: Grid, colours: Scale, language: Language) -> tuple[tuple[str, Markup], ...]:
    """For each panel where it is ("h [0]") and its `<svg>`, with the same numbers as its text alternative."""
    cells = [cell.text for panel in grid.panels for row in panel.rows for cell in row]
    width = max(42, round(18 + LETTER * max(map(len, cells))))
    return tuple(
        (panel.at, _Drawing(panel, width, colours).svg(_spoken(name, grid, panel, language))) for panel in grid.panels
    )


def _spoken(name: str, grid: Grid, panel: Panel, language: Language) -> str:
    """What a screen reader says in place of the picture."""
    said = []
    for number, row in zip(panel.row_numbers, panel.rows, strict=True):
        fields = {"row": f"{number} ({panel.row_axis})" if panel.row_axis else "0"}
        said.append(tell(Message("report.picture_row", fields | {"numbers": "; ".join(c.text for c in row)}), language))
    ringed = [cell.text for row in panel.rows for cell in row if cell.first_wrong]
    said += [tell(Message("report.picture_wrong", {"value": text}), language) for text in ringed]
    fields = {"name": name, "shape": grid.shape, "at": panel.at}
    start = tell(Message("report.picture_part" if panel.at else "report.picture", fields), language)
    return " ".join([start, *said])


class _Drawing(NamedTuple):
    """One panel: axis names and numbers at the margins, then the cells."""

    panel: Panel
    width: int
    colours: Scale

    @property
    def left(self) -> int:
        if not self.panel.row_axis:
            return 2
        return round(14 + max(SMALL * len(self.panel.row_axis), LETTER * len(str(self.panel.row_numbers[-1]))))

    @property
    def top(self) -> int:
        return 40 if self.panel.column_axis else 2

    def svg(self, spoken: str) -> Markup:
        width = self.left + self.width * len(self.panel.column_numbers) + 2
        height = self.top + HEIGHT * len(self.panel.rows) + 2
        parts = Markup("").join([*self._margins(), *self._cells(), *self._marks()])
        return filled(_SVG, spoken, width, height, width, height, parts)

    def _margins(self) -> Iterable[Markup]:
        panel = self.panel
        middle = self.left + self.width * len(panel.column_numbers) // 2
        if panel.column_axis:
            yield filled(TEXT, "axis mid", middle, 10, panel.column_axis)
            for place, number in enumerate(panel.column_numbers):
                yield filled(TEXT, "count mid", self.left + self.width * place + self.width // 2, 29, number)
        if panel.row_axis:
            yield filled(TEXT, "axis end", self.left - 8, 29, panel.row_axis)
            for place, number in enumerate(panel.row_numbers):
                yield filled(TEXT, "count end", self.left - 8, self.top + HEIGHT * place + HEIGHT // 2, number)

    def _cells(self) -> Iterable[Markup]:
        for x, y, cell in self._places():
            level = "none" if cell.value is None else f"q{self.colours.level(cell.value)}"
            number = filled(TEXT, "mid", x + self.width // 2, y + HEIGHT // 2, cell.text)
            yield filled(_CELL, level, x + 1, y + 1, self.width - 2, HEIGHT - 2, number)

    def _marks(self) -> Iterable[Markup]:
        """Drawn last, over the cells: a corner on each wrong element, a frame round the first."""
        for x, y, cell in self._places():
            if cell.first_wrong:
                yield filled(_FRAME, "halo", x, y, self.width, HEIGHT)
                yield filled(_FRAME, "frame", x, y, self.width, HEIGHT)
            elif cell.wrong:
                yield filled(_CORNER, x + self.width - 1, y + 1)

    def _places(self) -> Iterable[tuple[int, int, Cell]]:
        left, top = self.left, self.top
        for j, row in enumerate(self.panel.rows):
            for i, cell in enumerate(row):
                yield left + self.width * i, top + HEIGHT * j, cell
