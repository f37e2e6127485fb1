"""One factor between all numbers of an answer and the expected ones, and how a person writes it: 2, √d_k, 1/h."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import permutations

import numpy as np

from grader.diagnosis.leaves import Array
from grader.diagnosis.locating.evidence import Case, close

_ALIKE = 1e-6  # relative difference of two factors that are one

_POWERS = {
    1.0: "{0}",
    -1.0: "1/{0}",
    0.5: "√{0}",
    -0.5: "1/√{0}",
    2.0: "{0}²",
    -2.0: "1/{0}²",
    1.5: "{0}·√{0}",
    -1.5: "1/({0}·√{0})",
}
_TIMES = {  # with a whole number c in front, or below
    1.0: ("{c}·{}", "{}/{c}"),
    -1.0: ("{c}/{}", "1/({c}·{})"),
    0.5: ("{c}·√{}", "√{}/{c}"),
    -0.5: ("{c}/√{}", "1/({c}·√{})"),
}
_LARGEST = 16  # whole number that stands in front of a size
_OF_TWO = {
    (1.0, 1.0): "{}·{}",
    (-1.0, -1.0): "1/({}·{})",
    (0.5, 0.5): "√({}·{})",
    (-0.5, -0.5): "1/√({}·{})",
    (1.0, -1.0): "{}/{}",
    (0.5, -0.5): "√({}/{})",
    (0.5, -1.0): "√{}/{}",
    (1.0, -0.5): "{}/√{}",
}


def scale_of(want: Array, got: Array) -> float | None:
    """The number c with got = c * want, other than 0 and 1; None where there is none."""
    if not want.size or not want.any():
        return None
    place = int(np.abs(want).argmax())
    with np.errstate(all="ignore"):
        factor = float(got.ravel()[place] / want.ravel()[place])
        fits = math.isfinite(factor) and factor != 0 and close(factor * want, got)
    return factor if fits else None


def offset_of(want: Array, got: Array) -> float | None:
    """The number c with got = want + c."""
    with np.errstate(all="ignore"):
        offset = float((got - want).mean()) if want.size else 0.0
        fits = math.isfinite(offset) and close(want + offset, got)
    return offset if fits else None


def temperature_of(want: Array, got: Array) -> float | None:
    """The number c for which got is the softmax of c times the scores whose softmax is want, over the last axis."""
    if not bool((got >= 0).all()) or not np.array_equal(want > 0, got > 0):
        return None
    with np.errstate(all="ignore"):
        logarithms, others = np.where(want > 0, np.log(want), 0.0), np.where(got > 0, np.log(got), 0.0)
    counted = want > 0
    count = counted.sum(axis=-1, keepdims=True)
    logarithms = np.where(counted, logarithms - logarithms.sum(axis=-1, keepdims=True) / count, 0.0)
    others = np.where(counted, others - others.sum(axis=-1, keepdims=True) / count, 0.0)
    squares = float((logarithms**2).sum())
    if squares == 0:
        return None
    factor = float((logarithms * others).sum()) / squares
    return factor if factor and close(factor * logarithms, others) else None


def factor_name(factors: Sequence[float], cases: Sequence[Case]) -> str:
    """One number, or a power of one or two sizes that gives the factor of every case; "" where nothing does."""
    if _all_alike(factors, [factors[0]] * len(factors)):
        return text_of(factors[0])
    several = len({text_of(factor) for factor in factors}) > 2
    for written, values in _candidates(cases, several=several):
        if _all_alike(factors, values):
            return written
    return _times_a_number(factors, cases) if several else ""


def _times_a_number(factors: Sequence[float], cases: Sequence[Case]) -> str:
    """A whole number times a power of one size, or that power divided by it: 2/√d_k."""
    for name, values in _usable(cases).items():
        for power, (times, divided) in _TIMES.items():
            rest = [factor / value**power for factor, value in zip(factors, values, strict=True)]
            if _all_alike(rest, [rest[0]] * len(rest)):
                for form, number in ((times, rest[0]), (divided, 1 / rest[0])):
                    if 1 < round(number) <= _LARGEST and abs(number - round(number)) <= _ALIKE:
                        return form.format(name, c=round(number))
    return ""


def _usable(cases: Sequence[Case]) -> dict[str, list[int]]:
    """Sizes that every case has, by name as it is written in a formula."""
    sizes = {name: [case.sizes.get(name, 0) for case in cases] for name in cases[0].sizes}
    return {_bracketed(name): values for name, values in sizes.items() if min(values) > 0}


def _all_alike(factors: Sequence[float], others: Sequence[float]) -> bool:
    return all(abs(a - b) <= _ALIKE * abs(b) for a, b in zip(factors, others, strict=True))


def _candidates(cases: Sequence[Case], *, several: bool) -> Iterator[tuple[str, list[float]]]:
    """Powers of sizes that every case has; of two sizes only where there are several factors to explain."""
    usable = _usable(cases)
    for name, values in usable.items():
        for power, form in _POWERS.items():
            yield form.format(name), [value**power for value in values]
    for one, other in permutations(usable, 2) if several else ():
        for (power, second), form in _OF_TWO.items():
            pairs = zip(usable[one], usable[other], strict=True)
            yield form.format(one, other), [a**power * b**second for a, b in pairs]


def _bracketed(name: str) -> str:
    return name if name.isascii() and name.isidentifier() else f"({name})"  # h·d_v is an identifier of Python


def text_of(value: float) -> str:
    """A number in at most four digits: 2, 0.5, -0.3333."""
    return f"{value:.4g}"
