"""Marks a typed answer: right, wrong (with the mistake it shows), or sent back because it cannot be understood.

text --read--> what was understood --compare with the key--> right
                      |            --compare with each wrong option--> wrong, this mistake
                      |            --neither--> wrong, not recognised
                      +--cannot be read, or in two ways--> retype, unclear: free of charge
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from enum import StrEnum
from fractions import Fraction
from typing import Literal

from grader.model import Message
from grader.quiz.folding import UnreadableError, fold
from grader.quiz.formulas import parse_formula, same, sides
from grader.quiz.grammar import Tree
from grader.quiz.numbers import Number, parse_number, show_number
from grader.quiz.shapes import RAISES, parse_shape, parse_vector

Kind = Literal["shape", "number", "formula", "vector", "word", "choice", "multi"]
KINDS: tuple[Kind, ...] = ("shape", "number", "formula", "vector", "word", "choice", "multi")
TYPED: tuple[Kind, ...] = ("shape", "number", "formula", "vector", "word")  # the others are picked from options
_ALMOST = 0.85  # of two words: a slip of the finger, which is sent back

Value = tuple[int, ...] | tuple[Fraction, ...] | Fraction | str


class Outcome(StrEnum):
    """What became of an answer; only the first two are kept and count."""

    RIGHT = "right"
    WRONG = "wrong"
    RETYPE = "retype"
    UNCLEAR = "unclear"


@dataclass(frozen=True)
class Asked:
    """What an answer is compared with.

    Attributes:
        key: a shape, a number, numbers, a formula, or a word.
        wrong: values of the wrong options, in their order.
        tolerance: of a number or of each number of a vector, edges included; 0 is exact.
        sizes: names that may stand for a number in a shape.
        also: other words that are right.
    """

    kind: Kind
    key: Value
    wrong: Sequence[Value] = ()
    tolerance: Fraction = Fraction(0)
    sizes: Mapping[str, int] = field(default_factory=dict)
    also: tuple[str, ...] = ()


@dataclass(frozen=True)
class Marked:
    """What the checker says of one answer.

    Attributes:
        understood: what was read, as it is echoed; "" where nothing was.
        option: number of the wrong option that it equals, counted from 0.
        message: why it is sent back, or what can be said of a wrong answer that no option explains.
    """

    outcome: Outcome
    understood: str = ""
    option: int | None = None
    message: Message | None = None


def mark(asked: Asked, text: str) -> Marked:
    """The verdict on an answer that was typed; the same text has the same verdict everywhere. Never raises."""
    try:
        return _MARK[asked.kind](asked, text)
    except UnreadableError as problem:
        return Marked(Outcome.UNCLEAR if problem.unclear else Outcome.RETYPE, message=problem.message)
    except RecursionError:
        return Marked(Outcome.RETYPE, message=Message("quiz.too_long", {"most": "300"}))


def show_value(kind: Kind, value: Value) -> str:
    """A value as it is printed, in the one spelling that is shown as the key."""
    if isinstance(value, str):
        return parse_formula(value).shown if kind == "formula" else value
    if isinstance(value, Fraction):
        return show_number(value)
    if kind == "shape":
        return f"({', '.join(map(str, value))}{',' * (len(value) == 1)})"
    return f"[{', '.join(show_number(Fraction(each)) for each in value)}]"


# --- one kind each ---------------------------------------------------------------------------------------------------


def _shape(asked: Asked, text: str) -> Marked:
    shape = parse_shape(text, asked.sizes)
    if isinstance(shape, str):
        option = next((i for i, each in enumerate(asked.wrong) if isinstance(each, str)), None)
        return Marked(Outcome.WRONG, RAISES, option)
    understood = show_value("shape", shape)
    if len(shape) == 1 and isinstance(asked.key, tuple) and len(asked.key) > 1:
        raise UnreadableError("one_axis", text=understood)  # separators were forgotten, or all but one size
    if shape == asked.key:
        return Marked(Outcome.RIGHT, understood)
    if shape in asked.wrong:
        return Marked(Outcome.WRONG, understood, list(asked.wrong).index(shape))
    return Marked(Outcome.WRONG, understood, None, _about_axes(shape, asked.key))


def _about_axes(shape: tuple[int, ...], key: Value) -> Message | None:
    """What a shape that no option explains has in common with the right one."""
    if not isinstance(key, tuple):
        return None
    if sorted(shape) == sorted(key):
        return Message("quiz.other_order")
    if len(shape) != len(key):
        return Message("quiz.axes_missing" if len(shape) < len(key) else "quiz.axes_too_many", {"axes": len(shape)})
    return None


def _number(asked: Asked, text: str) -> Marked:
    key = Fraction(str(asked.key))
    number = parse_number(text, whole=asked.tolerance == 0 and key.denominator == 1)
    if abs(number.value - key) <= asked.tolerance:
        return Marked(Outcome.RIGHT, number.shown)
    if number.half and abs(number.value - key) <= number.half:
        return Marked(Outcome.UNCLEAR, number.shown, message=Message("quiz.rounded", {"text": number.shown}))
    off = [(abs(number.value - each), i) for i, each in enumerate(asked.wrong) if isinstance(each, Fraction)]
    near = [each for each in off if each[0] <= max(asked.tolerance, number.half)]
    return Marked(Outcome.WRONG, number.shown, min(near)[1] if near else None)


def _formula(asked: Asked, text: str) -> Marked:
    formulas = [parse_formula(side) for side in sides(text) if side]
    if not formulas:
        raise UnreadableError("empty")
    formula = formulas[-1]
    if any(not same(each.readings[0], formula.readings[0]) for each in formulas):
        raise UnreadableError("sides_differ")
    key = _tree(asked.key)
    right = [same(tree, key) for tree in formula.readings]
    if all(right):
        return Marked(Outcome.RIGHT, formula.shown)
    if any(right):
        raise UnreadableError("two_readings", unclear=True)
    for i, each in enumerate(asked.wrong):
        if any(same(tree, _tree(each)) for tree in formula.readings):
            return Marked(Outcome.WRONG, formula.shown, i)
    return Marked(Outcome.WRONG, formula.shown)


def _tree(value: Value) -> Tree:
    return parse_formula(str(value)).readings[0]


def _vector(asked: Asked, text: str) -> Marked:
    numbers = parse_vector(text)
    key = asked.key if isinstance(asked.key, tuple) else ()
    understood = show_value("vector", tuple(each.value for each in numbers))
    if _all_near(numbers, key, asked.tolerance):
        return Marked(Outcome.RIGHT, understood)
    if len(numbers) == 1 < len(key):
        raise UnreadableError("one_number", wanted=str(len(key)))
    for i, each in enumerate(asked.wrong):
        if isinstance(each, tuple) and _all_near(numbers, each, asked.tolerance):
            return Marked(Outcome.WRONG, understood, i)
    message = None
    if len(numbers) != len(key):
        message = Message("quiz.numbers_wanted", {"got": len(numbers), "wanted": len(key)})
    return Marked(Outcome.WRONG, understood, None, message)


def _all_near(numbers: Sequence[Number], wanted: Sequence[int | Fraction], tolerance: Fraction) -> bool:
    if len(numbers) != len(wanted):
        return False
    return all(abs(each.value - want) <= tolerance for each, want in zip(numbers, wanted, strict=True))


def _word(asked: Asked, text: str) -> Marked:
    word = _folded_word(text)
    if not word:
        raise UnreadableError("empty")
    right = [str(asked.key), *asked.also]
    if word in map(_folded_word, right):
        return Marked(Outcome.RIGHT, word)
    for i, each in enumerate(asked.wrong):
        if word in map(_folded_word, str(each).split("|")):
            return Marked(Outcome.WRONG, word, i)
    if any(SequenceMatcher(None, word, _folded_word(each)).ratio() > _ALMOST for each in right):
        raise UnreadableError("almost", text=word)
    return Marked(Outcome.WRONG, word)


def _folded_word(text: str) -> str:
    """A word without capitals, quotes, blanks inside, and what may follow a keyword: `average_attn_weights=False`."""
    word = re.sub(r"\s*=\s*(?:true|false|none)?\s*$", "", fold(text).casefold())
    return re.sub(r"[\s\"'`()\[\]]+", "", word)


_MARK = {"shape": _shape, "number": _number, "formula": _formula, "vector": _vector, "word": _word}


# --- answers that are picked ---------------------------------------------------------------------------------------


def read_picks(text: str, count: int, *, several: bool) -> tuple[int, ...]:
    """The options that were picked, counted from 0, ascending: `2`, `b`, `1, 3`, `ac`.

    Raises:
        UnreadableError: no option is named, one that is not there, or several where one is asked for.
    """
    plain = fold(text).casefold()
    glued = several and re.fullmatch(r"[a-z]+|[1-9]+", plain)
    marks = list(plain) if glued else [each for each in re.split(r"[\s,;/&+.)(\[\]]+|and|和", plain) if each]
    picked = {_place(each, count) for each in marks}
    if not picked or (len(picked) > 1 and not several):
        raise UnreadableError("pick_one" if not several else "pick_some", count=str(count))
    return tuple(sorted(picked))


def _place(text: str, count: int) -> int:
    if text.isdigit() and 1 <= int(text) <= count:
        return int(text) - 1
    if len(text) == 1 and "a" <= text <= "z" and ord(text) - ord("a") < count:
        return ord(text) - ord("a")
    raise UnreadableError("no_option", text=text, count=str(count))
