"""Sets the arrays of a counterexample side by side as lines of a terminal.

    heads  (h, L, d_v) = (2, 2, 2)    yours  (L, d_model) = (2, 4)
    h [0]     h [1]                    1  2 [3] 4*
     1  2      5  6                    5* 6* 7  8
     3  4      7  8

[3] is the first wrong element, 4* another one.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.text import Text

from grader.report.grids import Grid, Panel
from grader.report.wrap import cut, wrap

Lines = list[Text]
SHORT = 32  # cells of a name and a value on one line
LABEL = 14  # cells of "B, h [0,0]" over a panel that is narrower
ROOM = 6  # cells; in less than these a shape is not worth beginning


def array_lines(name: str, grid: Grid, width: int) -> Lines:
    """An array: its name and shape, then its panels side by side."""
    panels = [_panel_lines(panel, numbered=grid.cut) for panel in grid.panels]
    name = cut(name, width)
    shape = "  " + cut(grid.shape, width - cell_len(name) - 2) if width - cell_len(name) > ROOM else ""
    return [Text.assemble((name, "bold"), (shape, "dim")), *side_by_side(panels, width, gap=3)]


def array_width(grid: Grid) -> int:
    """Cells that the widest panel needs."""
    return max(_width(_panel_lines(panel, numbered=grid.cut)) for panel in grid.panels)


def text_lines(name: str, text: str, width: int) -> Lines:
    """Any other value: its name, then its text, on one line if it is short."""
    if cell_len(name) + 2 + cell_len(text) <= min(width, SHORT):
        return [Text.assemble((name, "bold"), "  ", text)]
    return [Text(cut(name, width), "bold"), *(Text(each) for each in wrap(text, width))]


def side_by_side(blocks: Sequence[Lines], width: int, *, gap: int) -> Lines:
    """Blocks of lines beside each other while they fit into `width` cells, then in a further band below."""
    bands: list[list[Lines]] = []
    used = width
    for block in blocks:
        wide = _width(block) + gap
        if used + wide - gap > width:
            bands.append([])
            used = 0
        bands[-1].append(block)
        used += wide
    lines: Lines = []
    for band in bands:
        lines += [Text()] if lines else []
        lines += [_row(band, place, gap) for place in range(max(map(len, band)))]
    return lines


def _row(band: list[Lines], place: int, gap: int) -> Text:
    row = Text()
    for block in band:
        part = block[place] if place < len(block) else Text()
        row.append_text(part)
        row.append(" " * (_width(block) + gap - part.cell_len))
    row.rstrip()
    return row


def _width(block: Lines) -> int:
    return max(part.cell_len for part in block)


def _panel_lines(panel: Panel, *, numbered: bool) -> Lines:
    wide = max(cell_len(cell.text) for row in panel.rows for cell in row)
    wide = max(wide, len(str(panel.column_numbers[-1]))) if numbered else wide
    margin = len(str(panel.row_numbers[-1])) if numbered else 0
    lines = [Text(cut(panel.at, max((wide + 2) * len(panel.column_numbers), LABEL)), "dim")] if panel.at else []
    if numbered:
        lines += [Text(" " * margin + "".join(f" {number:>{wide}} " for number in panel.column_numbers), "dim")]
    for number, row in zip(panel.row_numbers, panel.rows, strict=True):
        text = Text.assemble((f"{number:>{margin}}" if numbered else "", "dim"))
        for cell in row:
            before, after = ("[", "]") if cell.first_wrong else (" ", "*") if cell.wrong else (" ", " ")
            style = "bold red" if cell.first_wrong else "red" if cell.wrong else ""
            text.append(" " * (wide - cell_len(cell.text)) + before + cell.text + after, style)
        lines.append(text)
    return lines
