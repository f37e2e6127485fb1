"""Compares formulas by value: exact fractions at random points where d_model = h·d_k, and a way to echo them.

"4d²" --fold--> "4d^2" --grammar--> (* 4 (^ d 2)) --evaluate at a point--> Fraction
"""

from __future__ import annotations

import hashlib
import math
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from grader.quiz.folding import UnreadableError, fold, without_latex, without_lead
from grader.quiz.grammar import MOST_POWER, Tree, readings

MOST_BITS = 4096  # of a power
_DIGITS = 10**50  # a root that is no fraction is cut after fifty digits
_POINTS = 8


@dataclass(frozen=True)
class Formula:
    """Every reading of one formula; the first is the usual one."""

    readings: tuple[Tree, ...]

    @property
    def shown(self) -> str:
        """How the usual reading is echoed: 4·d_model^2."""
        return _show(self.readings[0])[0]


def parse_formula(text: str, *, names: bool = True) -> Formula:
    """The formula in a text.

    Args:
        names: whether letters may occur, or numbers alone.

    Raises:
        UnreadableError: something in it means nothing here.
    """
    plain = without_lead(without_latex(fold(text)).casefold())[0]
    return Formula(tuple(readings(plain, names=names)))


def sides(text: str) -> list[str]:
    """What stands on the sides of the equals signs; a side that only names the answer (`d_k =`, `params:`) goes."""
    plain = without_lead(without_latex(fold(text)).casefold())[0]
    plain = re.sub(r"\s*(?:parameters?|params?|trainable|in (?:all|total)|个参数|个|参数)+$", "", plain)
    plain = re.sub(r"^/\s*", "", plain)  # divided by what? /√d_k
    if re.fullmatch(r"[a-z_]+:[a-z_]+", plain):
        raise UnreadableError("two_readings", unclear=True)  # d_model:h names an answer, or divides
    parts = [
        part.strip()
        for part in re.split(
            r"==?|≈|→|:(?=\s*\S)|\bis\b|\bequals?\b|约?是|约?为|等于|变成|变为|\bbecomes\b|\bdoubles to\b|,?\s*即",
            plain,
        )
    ]
    if len(parts) > 1:
        naming = re.compile(r"[a-z_()\s,/]*[a-z][a-z_()\s,/]*|[\u4e00-\u9fff\w]*[\u4e00-\u9fff]+")
        parts = [part for i, part in enumerate(parts) if i == len(parts) - 1 or not naming.fullmatch(part)]
    return parts


# --- value ---------------------------------------------------------------------------------------------------------


def evaluate(tree: Tree, names: Mapping[str, Fraction]) -> Fraction:
    """Value of a tree; a root that is no fraction is cut after fifty digits.

    Raises:
        UnreadableError: a division by 0, a root of a negative number, a power that is too large or no number, or a
            name that has no value here.
    """
    match tree:
        case ("number", Fraction() as value):
            return value
        case ("name", str(name)):
            if name not in names:
                raise UnreadableError("unknown_word", word=shown_name(name))
            return names[name]
        case ("neg", tuple(inner)):
            return -evaluate(inner, names)
        case ("root" | "floor" as taken, tuple(inner)):
            value = evaluate(inner, names)
            return _root(value) if taken == "root" else Fraction(math.floor(value))
        case ("^", tuple(base), tuple(exponent)):
            return _raise(evaluate(base, names), evaluate(exponent, {}))
        case (str(sign), tuple(left), tuple(right)):
            return _apply(sign, evaluate(left, names), evaluate(right, names))
    raise AssertionError(tree)


def _apply(sign: str, left: Fraction, right: Fraction) -> Fraction:
    if sign == "+":
        return left + right
    if sign == "-":
        return left - right
    if sign == "*":
        return left * right
    if right == 0:
        raise UnreadableError("divides_by_zero")
    return Fraction(left // right) if sign == "//" else left / right


def _root(value: Fraction) -> Fraction:
    if value < 0:
        raise UnreadableError("negative_root")
    top, bottom = math.isqrt(value.numerator), math.isqrt(value.denominator)
    if top * top == value.numerator and bottom * bottom == value.denominator:
        return Fraction(top, bottom)
    return Fraction(math.isqrt(value.numerator * value.denominator * _DIGITS**2), value.denominator * _DIGITS)


def _raise(base: Fraction, power: Fraction) -> Fraction:
    bits = max(base.numerator.bit_length(), base.denominator.bit_length())
    if abs(power) > MOST_POWER or bits * abs(power) > MOST_BITS or power.denominator not in {1, 2}:
        raise UnreadableError("power_too_large")
    if base == 0 and power <= 0:
        raise UnreadableError("divides_by_zero")
    whole = base**power.numerator
    return Fraction(whole) if power.denominator == 1 else _root(Fraction(whole))


def same(left: Tree, right: Tree) -> bool:
    """Whether two formulas have the same value wherever d_model = h·d_k and d_v = d_k; exact where there is no root."""
    allowed = Fraction(1, 10**30) if _has_root(left) or _has_root(right) else Fraction(0)
    return all(_close(evaluate(left, point), evaluate(right, point), allowed) for point in points())


def _has_root(tree: object) -> bool:
    """Whether a value of the tree may be no fraction: √x, and a power whose exponent is not simply a whole number."""
    if not isinstance(tree, tuple):
        return False
    whole = isinstance(tree[-1], tuple) and tree[-1][0] == "number" and tree[-1][1].denominator == 1
    return tree[0] == "root" or (tree[0] == "^" and not whole) or any(map(_has_root, tree[1:]))


def points() -> list[dict[str, Fraction]]:
    """Points that are the same in every run: some of small numbers, where a 1 more shows, and some of large ones."""
    source = random.Random(int.from_bytes(hashlib.sha256(b"quiz formulas").digest()[:8]))  # noqa: S311 - no secret
    found = [_point(h, k, {"L": 7, "S": 4, "B": 9}) for h, k in ((2, 3), (3, 2), (5, 2))]
    for _ in range(_POINTS):
        h, k = source.randint(3, 90), source.randint(101, 900)
        found.append(_point(h, k, {name: source.randint(1001, 9999) for name in "LSB"}))
    return found


def _point(h: int, k: int, sizes: Mapping[str, int]) -> dict[str, Fraction]:
    return {name: Fraction(value) for name, value in {"h": h, "k": k, "v": k, "d": h * k, **sizes}.items()}


def _close(left: Fraction, right: Fraction, allowed: Fraction) -> bool:
    return abs(left - right) <= allowed * max(abs(left), abs(right))


# --- echo ----------------------------------------------------------------------------------------------------------

_STRENGTH = {"+": 1, "-": 1, "*": 2, "/": 2, "//": 2, "neg": 2, "^": 4}


def shown_name(name: str) -> str:
    """A name as it is echoed: d_model, d_k."""
    return {"d": "d_model", "k": "d_k", "v": "d_v"}.get(name, name)


def _show(tree: Tree) -> tuple[str, int]:
    """The tree as text, and how strongly it holds together."""
    match tree:
        case ("number", Fraction() as value):
            return _decimal(value), 5 if value.denominator == 1 or _finite(value) else 2
        case ("name", str(name)):
            return shown_name(name), 5
        case ("root" | "floor" as taken, tuple(inner)):
            return f"√({_show(inner)[0]})" if taken == "root" else f"⌊{_show(inner)[0]}⌋", 5
        case ("neg", tuple(inner)):
            return f"-{_inside(inner, 3)}", 2
        case ("^", tuple(base), tuple(exponent)):
            return f"{_inside(base, 5)}^{_inside(exponent, 5)}", 4
        case (str(sign), tuple(left), tuple(right)):
            strength = _STRENGTH[sign]
            mark = {"*": "·", "/": "/", "//": " // ", "+": " + ", "-": " - "}[sign]
            return f"{_inside(left, strength)}{mark}{_inside(right, strength + (sign in {'-', '/', '//'}))}", strength
    raise AssertionError(tree)


def _inside(tree: Tree, least: int) -> str:
    text, strength = _show(tree)
    return text if strength >= least else f"({text})"


def _finite(value: Fraction) -> bool:
    left = value.denominator
    for prime in (2, 5):
        while left % prime == 0:
            left //= prime
    return left == 1


def _decimal(value: object) -> str:
    if not isinstance(value, Fraction) or value.denominator == 1:
        return str(value)
    return f"{float(value):.10g}" if _finite(value) else f"{value.numerator}/{value.denominator}"
