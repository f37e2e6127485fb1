"""How an answer may be typed, for platforms that only compare texts; the checker itself takes each one as right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import islice

from grader.quiz.answers import mark, show_value
from grader.quiz.asked import Asked, Outcome

_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_PLACES = 6


def spellings(asked: Asked, most: int) -> tuple[str, ...]:
    """At most so many spellings of the key, the shown one first, each once."""
    shown, *others = dict.fromkeys(_candidates(asked))
    taken = (text for text in others if mark(asked, text).outcome is Outcome.RIGHT)
    return (shown, *islice(taken, most - 1))


def decimal(value: Fraction) -> str:
    """A number in digits and a point alone: no groups, no exponent, no fraction."""
    if value.denominator == 1:
        return str(value.numerator)
    text = f"{Decimal(value.numerator) / Decimal(value.denominator):.{_PLACES}f}"
    return text.rstrip("0").rstrip(".")


def percent(parts: int) -> str:
    """One of so many equal shares of 100, with five places as Moodle wants it."""
    return f"{100 / max(1, parts):.5f}".rstrip("0").rstrip(".")


def _candidates(asked: Asked) -> Iterator[str]:
    key = asked.key
    if isinstance(key, Fraction):
        yield decimal(key)
        yield show_value(asked.kind, key)
    elif asked.kind == "shape" and isinstance(key, str):
        yield from (
            key,
            "error",
            "an error",
            "raises",
            "it raises",
            "RuntimeError",
            "ValueError",
            "报错",
            "会报错",
            "出错",
        )
    elif asked.kind == "shape" and isinstance(key, tuple):
        yield from _shapes(show_value("shape", key), [str(size) for size in key])
    elif asked.kind == "formula":
        yield from _formulas(show_value("formula", key), str(key))
    elif isinstance(key, tuple):
        yield from (word for part in key for word in str(part).split("|"))
    else:
        yield show_value(asked.kind, key)


def _shapes(shown: str, sizes: list[str]) -> Iterator[str]:
    yield shown
    if not sizes or not sizes[0].isdigit():
        return
    for between in (", ", ","):
        inside = between.join(sizes)
        yield from (f"({inside})", inside, f"[{inside}]", f"torch.Size([{inside}])")
    yield from (between.join(sizes) for between in (" ", "×", "x", " × ", " x ", "*"))
    for between in ("，", "、"):
        inside = between.join(sizes)
        yield from (f"（{inside}）", inside, f"【{inside}】")
    yield from (f"({' '.join(sizes)})", f"[{' '.join(sizes)}]", f"({', '.join(sizes)},)")


def _formulas(shown: str, written: str) -> Iterator[str]:
    """The formula with other signs for times, powers, roots and names."""
    yield shown
    for text in (written, shown):
        plain = text.replace("·", "*").replace("**", "^").replace("√", "sqrt")
        for short in (plain, re.sub(r"\bd_model\b", "d", plain)):
            tight = short.replace(" ", "")
            glued = re.sub(r"(?<=\d)\*(?=[a-z])", "", tight)
            raised = re.sub(r"\^(\d+)", lambda power: power[1].translate(_RAISED), glued)
            yield from (tight, tight.replace("^", "**"), glued, raised, raised.replace("*", ""))
            yield from (raised.replace("*", "·"), raised.replace("*", "×"), re.sub(r"([*+])", r" \1 ", tight))
            yield from (re.sub(r"sqrt\((\w+)\)", r"√\1", tight), re.sub(r"sqrt\((\w+)\)", r"\1^0.5", tight))
            yield from (re.sub(r"sqrt\((\w+)\)", r"sqrt \1", tight), re.sub(r"sqrt\((\w+)\)", r"√(\1)", tight))
