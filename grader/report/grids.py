"""Cuts an array with named axes into small tables of numbers, ready to be drawn in a terminal or on a page.

    Shown (h 2, L 2, d_v 3)  ->  Grid "heads", panels "h [0]" and "h [1]", each 2 rows (L) x 3 columns (d_v)

The last axis runs along the columns, the one before it along the rows, every further one gives a panel per index.
What does not fit into the window is left out, but never the first wrong element.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from grader.model import Counterexample, Shown
from grader.report.visible import line

Value = float | int | bool | str
Format = Callable[[Value], str]
CELL = 12  # characters of a value that is no number
DTYPE = 24  # characters of a dtype: torch.float64


class Window(NamedTuple):
    """How much of an array is drawn."""

    rows: int
    columns: int
    panels: int


class Cell(NamedTuple):
    text: str
    value: float | None  # for the colour; None where there is no finite number
    wrong: bool = False
    first_wrong: bool = False


class Panel(NamedTuple):
    """One table: a slice of an array along its last two axes."""

    at: str  # "h [0]", "" where the array has no further axes
    row_axis: str
    column_axis: str
    row_numbers: tuple[int, ...]
    column_numbers: tuple[int, ...]
    rows: tuple[tuple[Cell, ...], ...]


class Grid(NamedTuple):
    """An array, cut into panels."""

    shape: str  # "(h, L, d_v) = (2, 2, 3)"
    dtype: str
    panels: tuple[Panel, ...]
    cut: bool  # something was left out


class Comparison(NamedTuple):
    """A counterexample with every array cut into panels; None where a value is no array and is shown as text."""

    inputs: tuple[tuple[str, Shown, Grid | None], ...]
    expected: Grid | None
    actual: Grid | None
    first_wrong: str  # "[0,2] (L, d_model)", "" where the shapes differ
    expected_there: str
    actual_there: str


def compare(example: Counterexample, window: Window) -> Comparison:
    """Cuts all arrays of a counterexample; expected and actual values share one number format."""
    expected, actual, where = example.expected, example.actual, example.first_wrong
    pair = None
    if where is not None and expected.shape == actual.shape and _inside(where, expected.shape):
        pair = _at(expected, where), _at(actual, where)
    form = number_format([*expected.values, *actual.values], pair)
    at = where if pair else None
    return Comparison(
        inputs=tuple((name, shown, grid(shown, number_format(shown.values), window)) for name, shown in example.inputs),
        expected=grid(expected, form, window, around=at),
        actual=grid(actual, form, window, around=at, wrong=_wrong(expected, actual) if pair else None),
        first_wrong=_place(expected, where) if pair and where else "",
        expected_there=form(pair[0]) if pair else "",
        actual_there=form(pair[1]) if pair else "",
    )


def grid(
    shown: Shown,
    form: Format,
    window: Window,
    *,
    around: tuple[int, ...] | None = None,
    wrong: frozenset[int] | None = None,
) -> Grid | None:
    """The array as panels, with the element at `around` inside the window; None for text, errors and empty arrays.

    Args:
        around: index of the first wrong element.
        wrong: flat indices of the wrong elements, in the array that has them; there the first one is marked too.
    """
    if shown.kind != "array" or 0 in shown.shape:
        return None
    axes = axis_names(shown)
    lengths = (1,) * max(0, 2 - len(shown.shape)) + shown.shape
    names = ("",) * max(0, 2 - len(shown.shape)) + axes
    centre = (0,) * (len(lengths) - len(around or ())) + (around or ())
    rows = _span(lengths[-2], window.rows, centre[-2])
    columns = _span(lengths[-1], window.columns, centre[-1])
    few = [range(min(length, window.panels)) for length in lengths[:-2]]
    slices = list(itertools.islice(itertools.product(*few), window.panels))
    if centre[:-2] not in slices:
        slices[-1] = centre[:-2]
    cells = _Cells(shown, form, lengths, wrong or frozenset(), None if wrong is None else centre)
    panels = tuple(
        Panel(
            at=_panel_at(shown, at),
            row_axis=names[-2],
            column_axis=names[-1],
            row_numbers=tuple(rows),
            column_numbers=tuple(columns),
            rows=tuple(tuple(cells.cell((*at, row, column)) for column in columns) for row in rows),
        )
        for at in slices
    )
    whole = len(rows) == lengths[-2] and len(columns) == lengths[-1] and len(slices) == math.prod(lengths[:-2])
    return Grid(shape_text(shown), line(shown.dtype, DTYPE), panels, cut=not whole)


class _Cells(NamedTuple):
    """Makes the cells of one array, by index."""

    shown: Shown
    form: Format
    lengths: tuple[int, ...]
    wrong: frozenset[int]
    first_wrong: tuple[int, ...] | None

    def cell(self, index: tuple[int, ...]) -> Cell:
        flat = _flat(index, self.lengths)
        if flat >= len(self.shown.values):
            return Cell("·", None)  # a large array may come with its first values only
        value = self.shown.values[flat]
        number = None if isinstance(value, str) or not math.isfinite(_real(value)) else float(value)
        return Cell(self.form(value), number, flat in self.wrong, index == self.first_wrong)


def axis_names(shown: Shown) -> tuple[str, ...]:
    """A name for every axis: as given, else "axis 0", "axis 1" and so on."""
    if len(shown.axes) == len(shown.shape):
        return tuple(line(name, CELL) for name in shown.axes)
    return tuple(f"axis {number}" for number in range(len(shown.shape)))


def shape_text(shown: Shown) -> str:
    """The shape with the names of its axes: "(h, L, d_v) = (2, 2, 3)"."""
    shape = f"({', '.join(map(str, shown.shape))}{',' if len(shown.shape) == 1 else ''})"
    if len(shown.axes) != len(shown.shape) or not shown.axes:
        return shape
    return f"({', '.join(axis_names(shown))}{',' if len(shown.axes) == 1 else ''}) = {shape}"


# --- numbers -----------------------------------------------------------------------------------------------------


def number_format(values: Iterable[Value], pair: tuple[Value, Value] | None = None) -> Format:
    """One way to write all these values: as few digits as tell them from their neighbours, at most three decimals.

    Where `pair` holds two different numbers, digits are added until they can be told apart.
    """
    floats = [float(v) for v in values if isinstance(v, float) and math.isfinite(v)]
    styles = _styles(floats)
    if pair is None or pair[0] == pair[1]:
        style = styles[0]
    else:
        apart = (each for each in styles if _write(pair[0], each) != _write(pair[1], each))
        style = next(apart, styles[-1])
    return lambda value: _write(value, style)


def _styles(floats: Sequence[float]) -> list[str]:
    """Format specifications from short to exact."""
    largest = max(map(abs, floats), default=0.0)
    exact = [f".{digits}g" for digits in (6, 9, 12, 15, 17)]
    if all(value == round(value) for value in floats) and largest < 1e6:
        return [".0f", ".1f", ".2f", ".3f", *exact]
    if not 1e-2 <= largest < 1e4:
        return [".3g", *exact]
    decimals = next((d for d in (1, 2) if all(abs(round(v, d) - v) <= 1e-9 for v in floats)), 3)
    return [f".{d}f" for d in range(decimals, 5)] + exact


def _write(value: Value, style: str) -> str:
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, str):
        return line(value, CELL)
    if isinstance(value, int):
        return str(value) if value.bit_length() <= 64 else f"{'-' if value < 0 else ''}2^{value.bit_length() - 1}…"
    if math.isnan(value):
        return "NaN"
    return format(value + 0.0, style)  # + 0.0 turns -0.0 into 0.0


def _real(value: float) -> float:
    """The value as a float; an int too large for one counts as infinite."""
    try:
        return float(value)
    except OverflowError:
        return math.copysign(math.inf, value)


# --- indices -----------------------------------------------------------------------------------------------------


def _span(length: int, most: int, centre: int) -> range:
    """At most `most` indices of an axis, from 0 on if `centre` is then among them."""
    if length <= most or centre < most:
        return range(min(length, most))
    start = min(centre - most // 2, length - most)
    return range(start, start + most)


def _flat(index: Sequence[int], lengths: Sequence[int]) -> int:
    flat = 0
    for i, length in zip(index, lengths, strict=True):
        flat = flat * length + i
    return flat


def _inside(index: tuple[int, ...], shape: tuple[int, ...]) -> bool:
    return len(index) == len(shape) and all(0 <= i < length for i, length in zip(index, shape, strict=True))


def _at(shown: Shown, index: tuple[int, ...]) -> Value:
    flat = _flat(index, shown.shape)
    return shown.values[flat] if flat < len(shown.values) else ""


def _place(shown: Shown, index: tuple[int, ...]) -> str:
    """An index as Python writes it, and what its axes are: "[0,6] (L, d_model)"; sizes never stand in [ ]."""
    return f"[{','.join(map(str, index))}] ({', '.join(axis_names(shown))})"


def _panel_at(shown: Shown, index: tuple[int, ...]) -> str:
    """Where a panel is: "h [0]", and "[0]" where the axes have no names; "" for the only panel."""
    if not index:
        return ""
    names = axis_names(shown)[: len(index)] if len(shown.axes) == len(shown.shape) else ()
    return f"{', '.join(names)} [{','.join(map(str, index))}]".strip()


def _wrong(expected: Shown, actual: Shown) -> frozenset[int]:
    """Flat indices of the elements that differ, by the tolerance of the checks."""
    tolerance = 1e-5 if actual.dtype.removeprefix("torch.") in {"float32", "complex64"} else 1e-9
    return frozenset(
        number
        for number, (want, got) in enumerate(zip(expected.values, actual.values, strict=False))
        if not _same(got, want, tolerance)
    )


def _same(got: Value, want: Value, tolerance: float) -> bool:
    if isinstance(got, str) or isinstance(want, str):
        return got == want
    return got == want or abs(_real(got) - _real(want)) <= tolerance * (1 + abs(_real(want)))
