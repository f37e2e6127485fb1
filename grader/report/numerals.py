"""Writes the numbers of figures: short ones for cells and axes, longer ones for tables."""

from __future__ import annotations

import math

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def short(value: float) -> str:
    """At most six characters: "0.20", "1", "-3.1", "1e+300", "NaN"."""
    if not math.isfinite(value):
        return _no_number(value)
    if value == round(value) and abs(value) < 1000:
        return f"{value + 0.0:.0f}"
    if 0.005 <= abs(value) < 1000:
        return f"{value:.2f}" if abs(value) < 10 else f"{value:.1f}"
    return f"{value:.0e}"


def exact(value: float) -> str:
    """Four digits, and every digit of a whole number below a million."""
    if not math.isfinite(value):
        return _no_number(value)
    if value == round(value) and abs(value) < 1e6:
        return f"{value + 0.0:.0f}"
    return f"{value:.4g}"


def tick(value: float) -> str:
    """A number of an axis: "0.5", "20", and from a thousand up or below a hundredth "10⁻⁸"."""
    if value == 0 or 0.01 <= abs(value) <= 10_000:
        return f"{value:g}"
    mantissa, power = f"{value:e}".split("e")
    raised = f"10{str(int(power)).translate(_RAISED)}"
    factor = f"{float(mantissa):g}"
    return raised if factor == "1" else f"{factor}·{raised}"


def _no_number(value: float) -> str:
    return "NaN" if math.isnan(value) else "∞" if value > 0 else "-∞"
