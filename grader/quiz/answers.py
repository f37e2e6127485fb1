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
from typing import Any, Literal

from grader.model import Message
from grader.quiz.arranging import bare_picks, read_order, read_pairs, shown_pairs
from grader.quiz.blanks import mentions, read_blanks, said_alone, spellings
from grader.quiz.folding import REFUSING, UnreadableError, fold, without_latex
from grader.quiz.formulas import parse_formula, same, sides
from grader.quiz.grammar import Tree
from grader.quiz.numbers import Number, parse_number, show_number
from grader.quiz.remarks import with_definition
from grader.quiz.shapes import RAISES, parse_shape, parse_vector

# fmt: off
Kind = Literal[
    "shape", "number", "formula", "vector", "cloze", "code", "order", "match",
    "choice", "multi", "error", "predict", "recall",
]
# fmt: on
TYPED: tuple[Kind, ...] = ("shape", "number", "formula", "vector", "cloze", "code", "order", "match")  # `mark` reads it
OFFERED: tuple[Kind, ...] = TYPED[:6]  # typed at first, and picked from options after a miss
PICKED: tuple[Kind, ...] = ("choice", "multi", "error", "predict")  # options from the start; predict has two steps
KINDS: tuple[Kind, ...] = (*TYPED, *PICKED, "recall")  # recall is written freely, then ticked off
_EACH = re.compile(
    r"\b(?:for\s+)?all\s+(?:two|three|four|[2-6])\b(?:\s+of\s+them)?|\b(?:for\s+|to\s+)?(?:each|all|every)\b(?:\s+(?:key|word|one)s?\b)?|各个?|都是?|均[为是]?|全部?[是为]|每个|三个(?=都|均|各)",
    re.IGNORECASE,
)
_ALMOST = 0.85  # of two words: a slip of the finger, which is sent back

Value = tuple[int, ...] | tuple[Fraction, ...] | tuple[str, ...] | Fraction | str


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
        key: a shape, a number, numbers, a formula, words, a line of code, or an order; see grader.quiz.lock.Item.
        wrong: values of the wrong options, in their order; of match the pairs that show a mistake.
        tolerance: of a number or of each number of a vector, edges included; 0 is exact.
        sizes: names that may stand for a number in a shape.
        shown: which step or right end stands at each place of the screen.
        orders: every order of the steps that is right.
        cases: inputs of a line of code and what has to come out.
    """

    kind: Kind
    key: Value
    wrong: Sequence[Value] = ()
    tolerance: Fraction = Fraction(0)
    sizes: Mapping[str, int] = field(default_factory=dict)
    shown: tuple[int, ...] = ()
    orders: tuple[tuple[int, ...], ...] = ()
    cases: tuple[Mapping[str, Any], ...] = ()


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
    if kind == "cloze":
        return " ; ".join(str(each).partition("|")[0] for each in value)
    if kind == "shape":
        return f"({', '.join(map(str, value))}{',' * (len(value) == 1)})"
    return f"[{', '.join(show_number(Fraction(each)) for each in value)}]"


def typed_value(asked: Asked, value: Value) -> str:
    """What a learner types to give a value: as it is shown, and of order and match by places on the screen."""
    if asked.kind == "match":
        return shown_pairs(tuple(asked.shown.index(i) for i in range(len(asked.shown))))
    if asked.kind == "order" and isinstance(value, tuple):
        return " ".join(str(asked.shown.index(int(step)) + 1) for step in value)
    return show_value(asked.kind, value)


# --- one kind each ---------------------------------------------------------------------------------------------------


def _shape(asked: Asked, text: str) -> Marked:
    shape = parse_shape(text, asked.sizes)
    if shape == asked.key == RAISES:
        return Marked(Outcome.RIGHT, RAISES)
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
    plain, said = with_definition(without_latex(fold(text)).casefold())
    formulas = [parse_formula(side) for side in sides(plain) if side]
    if said:
        named = [parse_formula(side).readings[0] for side in re.split(r"[=:]|\bis\b|[是为指]", said)]
        if len(named) != 2 or not same(*named):  # 4d², d = d_k
            raise UnreadableError("sides_differ")
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
    key = _numbers(asked.key)
    numbers = parse_vector(_EACH.sub(" ", text))
    if len(numbers) == 1 and _EACH.search(text):
        numbers = numbers * len(key)  # 1/3 each
    understood = show_value("vector", tuple(each.value for each in numbers))
    if _all_near(numbers, key, asked.tolerance):
        return Marked(Outcome.RIGHT, understood)
    if len(numbers) == 1 < len(key):
        raise UnreadableError("one_number", wanted=str(len(key)))
    for i, each in enumerate(asked.wrong):
        if _all_near(numbers, _numbers(each), asked.tolerance):
            return Marked(Outcome.WRONG, understood, i)
    message = None
    if len(numbers) != len(key):
        message = Message("quiz.numbers_wanted", {"got": len(numbers), "wanted": len(key)})
    return Marked(Outcome.WRONG, understood, None, message)


def _numbers(value: Value) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, value)) if isinstance(value, tuple) else ()


def _all_near(numbers: Sequence[Number], wanted: Sequence[Fraction], tolerance: Fraction) -> bool:
    if len(numbers) != len(wanted):
        return False
    return all(abs(each.value - want) <= tolerance for each, want in zip(numbers, wanted, strict=True))


def _cloze(asked: Asked, text: str) -> Marked:
    right = [spellings(each) for each in asked.key] if isinstance(asked.key, tuple) else []
    words = read_blanks(text, len(right))
    if len(right) == 1 and not REFUSING.search(text.casefold()):
        options = [each for wrong in asked.wrong if isinstance(wrong, tuple) for each in spellings(wrong[0])]
        words = [next((each for each in (*words, *said_alone(text)) if each in (*right[0], *options)), words[0])]
    understood = " ; ".join(words)
    missed = [i for i, word in enumerate(words) if word not in right[i]]
    if not missed:
        return Marked(Outcome.RIGHT, understood)
    for option, wrong in enumerate(asked.wrong):
        if isinstance(wrong, tuple) and any(words[i].removesuffix("=true") in spellings(wrong[i]) for i in missed):
            return Marked(Outcome.WRONG, understood, option)
    if len(right) == 1 and re.search(r"\bor\b|或|还是", text, re.IGNORECASE):
        raise UnreadableError("only_blank")
    if isinstance(asked.key, tuple) and any(mentions(text, str(asked.key[i])) for i in missed):
        raise UnreadableError("only_blank")
    for i in missed:
        if any(SequenceMatcher(None, words[i], each).ratio() > _ALMOST for each in right[i]):
            raise UnreadableError("almost", text=words[i])
    return Marked(Outcome.WRONG, understood)


def _order(asked: Asked, text: str) -> Marked:
    places = read_order(text, len(asked.shown))
    understood = " ".join(str(place + 1) for place in places)
    order = tuple(asked.shown[place] for place in places)
    if order in asked.orders:
        return Marked(Outcome.RIGHT, understood)
    option = list(asked.wrong).index(order) if order in asked.wrong else None
    return Marked(Outcome.WRONG, understood, option)


def _match(asked: Asked, text: str) -> Marked:
    places = read_pairs(text, len(asked.shown))
    pairs = [(left, asked.shown[place]) for left, place in enumerate(places)]
    fitting = sum(left == right for left, right in pairs)
    if fitting == len(pairs):
        return Marked(Outcome.RIGHT, shown_pairs(places))
    option = next((i for i, wrong in enumerate(asked.wrong) if wrong in pairs), None)
    message = Message("quiz.pairs_fit", {"fitting": fitting, "count": len(pairs)})
    return Marked(Outcome.WRONG, shown_pairs(places), option, message)


def _code(asked: Asked, text: str) -> Marked:
    from grader.quiz.lines import mark_line  # noqa: PLC0415 - numpy and the sandbox: only where code is asked for

    line, option, message = mark_line(text, asked.cases, asked.wrong)
    if option is None and message is None:
        return Marked(Outcome.RIGHT, line)
    return Marked(Outcome.WRONG, line, option, message)


_MARK = {
    "shape": _shape,
    "number": _number,
    "formula": _formula,
    "vector": _vector,
    "cloze": _cloze,
    "order": _order,
    "match": _match,
    "code": _code,
}


# --- answers that are picked ---------------------------------------------------------------------------------------


def read_picks(text: str, count: int, *, several: bool) -> tuple[int, ...]:
    """The options that were picked, counted from 0, ascending: `2`, `b`, `1, 3`, `ac`.

    Raises:
        UnreadableError: no option is named, one that is not there, or several where one is asked for.
    """
    plain = bare_picks(fold(text).casefold())
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
