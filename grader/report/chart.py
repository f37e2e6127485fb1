"""Draws lines against what is varied, expected ones broad and the submission's thin with marks on them, as inline SVG.

    values --Axis--> places from 0 to 1 --Chart--> paths

The axes follow the expected values. What a submission gives may stretch them by a few times their length and no
further: beyond that, and for NaN, a point is left out, and `left_out` says which.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from markupsafe import Markup

from grader.report.numerals import tick
from grader.report.svg import TEXT, described, filled

WIDTH, HEIGHT = 380, 270
LEFT, RIGHT, TOP, BOTTOM = 50, 14, 30, 44
DECADES = 3  # a logarithmic axis is stretched by
SPANS = 2  # a linear one, in lengths of the expected range
MOST_TICKS = 6

_PATH = Markup('<path class="{}" d="{}"/>')
_KEY = Markup('<svg class="key" aria-hidden="true" viewBox="0 0 34 16" width="34" height="16">{}</svg>')
# A circle, and a square: they differ without their colours.
_MARKS = ("M{0} {1}m-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z", "M{0} {1}m-4.5 -4.5h9v9h-9z")


def key(place: int) -> Markup:
    """A short piece of a line, for the legend."""
    mark = _MARKS[place % len(_MARKS)].format(17, 8)
    pieces = (("wanted", "M2 8H32"), ("got", "M2 8H32"), ("mark", mark))
    return filled(_KEY, Markup("").join(filled(_PATH, f"{kind} s{place}", d) for kind, d in pieces))


class Axis(NamedTuple):
    """One axis: from which to which value, and whether by its logarithm."""

    low: float
    high: float
    logarithmic: bool

    def at(self, value: float) -> float:
        """Where a value lies, 0 at the low end and 1 at the high one."""
        low, high, value = (math.log(v) if self.logarithmic else v for v in (self.low, self.high, value))
        return (value - low) / (high - low)

    def holds(self, value: float | None) -> bool:
        return value is not None and self.low <= value <= self.high  # never so for NaN

    def ticks(self) -> tuple[float, ...]:
        """A few round values on the axis."""
        return tuple(_decades(self.low, self.high) if self.logarithmic else _steps(self.low, self.high))


def _axis(wanted: Sequence[float], got: Iterable[float | None], *, logarithmic: bool) -> Axis:
    """An axis round the expected values and those of the submission that are not too far off."""
    usable = [v for v in wanted if v > 0 or not logarithmic] or [1.0]
    low, high = min(usable), max(usable)
    span = (high - low) or abs(high) or 1.0
    reach = Axis(low - SPANS * span, high + SPANS * span, logarithmic=False)
    if logarithmic:
        reach = Axis(low / 10**DECADES, high * 10**DECADES, logarithmic=True)
    near = [*usable, *(v for v in got if v is not None and reach.holds(v))]
    low, high = min(near), max(near)
    if logarithmic:
        room = max((high / low) ** 0.06, 1.15)
        return Axis(low / room, high * room, logarithmic=True)
    room = 0.06 * ((high - low) or abs(high) or 1.0)
    return Axis(low - room, high + room, logarithmic=False)


def _decades(low: float, high: float) -> Iterator[float]:
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    few = math.log10(high / low) < 3
    step = 1 if few else math.ceil((last - first) / MOST_TICKS)
    for power in range(first, last + 1, step):
        yield from (v for m in ((1, 2, 5) if few else (1,)) if low <= (v := m * 10.0**power) <= high)


def _steps(low: float, high: float) -> Iterator[float]:
    rough = (high - low) / (MOST_TICKS - 1)
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next(m * unit for m in (1, 2, 5, 10) if m * unit >= rough)
    yield from (n * step for n in range(math.ceil(low / step), math.floor(high / step) + 1))


class Chart:
    """Expected and actual lines over the same values of x."""

    def __init__(
        self,
        x: Sequence[float],
        expected: Sequence[Sequence[float]],
        actual: Sequence[Sequence[float | None]],
        x_name: str,
        y_name: str,
        *,
        logarithmic: bool,
    ) -> None:
        self._x, self._expected, self._actual = x, expected, actual
        self._x_name, self._y_name = x_name, y_name
        self._across = _axis(x, (), logarithmic=logarithmic)
        wanted, got = ([v for values in lines for v in values] for lines in (expected, actual))
        self._up = _axis([v for v in wanted if v is not None], got, logarithmic=logarithmic)

    def left_out(self, place: int) -> list[tuple[float, float | None]]:
        """The points (x, value) of one of the submission's lines that have no place in the chart."""
        return [(x, v) for x, v in zip(self._x, self._actual[place], strict=True) if not self._up.holds(v)]

    def svg(self, name: str, title: str, description: str) -> Markup:
        """The drawing; `name` starts its ids."""
        parts = Markup("").join([*self._frame(), *self._lines()])
        return described(parts, kind="lines", name=name, title=title, description=description, size=(WIDTH, HEIGHT))

    def _frame(self) -> Iterator[Markup]:
        yield filled(TEXT, "axis", 2, 11, self._y_name)
        yield filled(TEXT, "axis end", WIDTH - RIGHT, HEIGHT - 8, self._x_name)
        for value in self._up.ticks():
            y = self._y(value)
            yield filled(_PATH, "grid", f"M{LEFT} {y}H{WIDTH - RIGHT}")
            yield filled(TEXT, "count end", LEFT - 8, y, tick(value))
        for value in self._x:
            yield filled(TEXT, "count mid", self._left(value), HEIGHT - BOTTOM + 18, tick(value))

    def _lines(self) -> Iterator[Markup]:
        for place, values in enumerate(self._expected):
            yield filled(_PATH, f"wanted s{place}", self._path(values))
        for place, line in enumerate(self._actual):
            if path := self._path(line):
                yield filled(_PATH, f"got s{place}", path)
        for place, line in enumerate(self._actual):
            points = [(x, v) for x, v in zip(self._x, line, strict=True) if v is not None and self._up.holds(v)]
            mark = _MARKS[place % len(_MARKS)]
            if points:
                marks = "".join(mark.format(self._left(x), self._y(v)) for x, v in points)
                yield filled(_PATH, f"mark s{place}", marks)

    def _path(self, values: Sequence[float | None]) -> str:
        """A line through the points that have a place; it is broken where one has none."""
        pieces = []
        points = zip(self._x, values, strict=True)
        for drawable, run in groupby(points, key=lambda point: self._up.holds(point[1])):
            if drawable:
                places = [f"{self._left(x)} {self._y(v)}" for x, v in run if v is not None]
                pieces.append("M" + "L".join(places))
        return "".join(pieces)

    def _left(self, x: float) -> float:
        return round(LEFT + self._across.at(x) * (WIDTH - LEFT - RIGHT), 1)

    def _y(self, value: float) -> float:
        return round(HEIGHT - BOTTOM - self._up.at(value) * (HEIGHT - TOP - BOTTOM), 1)
