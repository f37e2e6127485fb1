"""Marks a typed answer: right, wrong (with the mistake it shows), or sent back because it cannot be understood.

text --read--> what was understood --compare with the key--> right
                      |            --compare with each wrong option--> wrong, this mistake
                      |            --neither--> wrong, not recognised
                      +--cannot be read, or in two ways--> retype, unclear: free of charge
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from fractions import Fraction

from grader.model import Message
from grader.quiz.arranging import read_order, read_pairs, shown_pairs
from grader.quiz.asked import Asked, Kind, Marked, Outcome, Value
from grader.quiz.axes import read_axes
from grader.quiz.blanks import mentions, read_blanks, said_alone, spellings
from grader.quiz.folding import REFUSING, UnreadableError, fold, without_latex
from grader.quiz.formulas import parse_formula, same, sides
from grader.quiz.grammar import Tree
from grader.quiz.numbers import Number, parse_number, show_number
from grader.quiz.remarks import said_of, with_definition, without_scores
from grader.quiz.shapes import RAISES, parse_shape, parse_vector, with_brackets

_EACH = re.compile(
    r"\b(?:for\s+)?all\s+(?:two|three|four|[2-6])\b(?:\s+of\s+them)?|\b(?:for\s+|to\s+)?(?:each|all|every)\b(?:\s+(?:key|word|one)s?\b)?|各个?|都是?|均[为是]?|全部?[是为]|每个|三个(?=都|均|各)",
    re.IGNORECASE,
)
_REST = re.compile(r"\b(?:others?|rest|remaining)\b|其[余他它]|剩下|另外", re.IGNORECASE)
_ROWS_COLUMNS = (("row", "行"), ("column", "列"))
_ALMOST = 0.85  # of two words: a slip of the finger, which is sent back


def mark(asked: Asked, text: str) -> Marked:
    """The verdict on an answer that was typed; the same text has the same verdict everywhere. Never raises."""
    try:
        return _MARK[asked.kind](asked, text)
    except UnreadableError as problem:
        return Marked(Outcome.UNCLEAR if problem.unclear else Outcome.RETYPE, message=problem.message)
    except RecursionError:
        return Marked(Outcome.RETYPE, message=Message("quiz.too_long", {"most": "300"}))


def show_value(kind: Kind, value: Value, tolerance: Fraction = Fraction(0)) -> str:
    """A value as it is printed, in the one spelling that is shown as the key.

    Args:
        tolerance: of a number or of each number of a vector; no more decimals are shown than it asks for.
    """
    if tolerance and isinstance(value, Fraction):
        value = rounded_to(value, tolerance)
    if isinstance(value, str):
        return parse_formula(value).shown if kind == "formula" else value
    if isinstance(value, Fraction):
        return show_number(value)
    if kind == "cloze":
        return " ; ".join(str(each).partition("|")[0] for each in value)
    if kind == "shape":
        return f"({', '.join(map(str, value))}{',' * (len(value) == 1)})"
    return f"[{', '.join(show_number(rounded_to(Fraction(each), tolerance)) for each in value)}]"


def rounded_to(value: Fraction, tolerance: Fraction) -> Fraction:
    """With as many decimals as a tolerance asks for, two where half a hundredth is allowed; all where it is 0."""
    if not tolerance:
        return value
    places = 0
    while Fraction(1, 2 * 10**places) > tolerance:
        places += 1
    return Fraction(round(value * 10**places), 10**places)


def typed_value(asked: Asked, value: Value) -> str:
    """What a learner types to give a value: as it is shown, and of order and match by places on the screen."""
    if asked.kind == "match":
        return shown_pairs(tuple(asked.shown.index(i) for i in range(len(asked.shown))))
    if asked.kind == "order" and isinstance(value, tuple):
        return " ".join(str(asked.shown.index(int(step)) + 1) for step in value)
    return show_value(asked.kind, value, asked.tolerance)


# --- one kind each ---------------------------------------------------------------------------------------------------


def _shape(asked: Asked, text: str) -> Marked:
    shape = parse_shape(text, asked.sizes) if (closed := with_brackets(text)) is None else parse_shape(closed, {})
    if closed is not None and shape != asked.key:
        raise UnreadableError("brackets")  # it may not be finished
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
    for noun, other in (_ROWS_COLUMNS, _ROWS_COLUMNS[::-1]):
        if _holds(text, noun) and _holds(asked.question, other) and not _holds(asked.question, noun):
            raise UnreadableError("unknown_word", word=text)  # 10 rows, where columns are asked for
    if (name := said_of(text)) and number.value != asked.sizes.get(name, number.value):
        raise UnreadableError("sides_differ")  # d_model = 10, where it is 20
    if abs(number.value - key) <= asked.tolerance:
        return Marked(Outcome.RIGHT, number.shown)
    if number.half and abs(number.value - key) <= number.half:
        return Marked(Outcome.UNCLEAR, number.shown, message=Message("quiz.rounded", {"text": number.shown}))
    off = [(abs(number.value - each), i) for i, each in enumerate(asked.wrong) if isinstance(each, Fraction)]
    near = [each for each in off if each[0] <= max(asked.tolerance, number.half)]
    return Marked(Outcome.WRONG, number.shown, min(near)[1] if near else None)


def _holds(text: str, words: Sequence[str]) -> bool:
    return any(word in text.casefold() for word in words)


def _formula(asked: Asked, text: str) -> Marked:
    plain, said = with_definition(without_scores(without_latex(fold(text)).casefold()))
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
    if _REST.search(text) and len(numbers) < len(key):
        raise UnreadableError("one_number", wanted=str(len(key)))  # the others 0
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


def _axes(asked: Asked, text: str) -> Marked:
    axes, rank = read_axes(text, asked.sizes), len(asked.sizes)
    counted = re.search(r"(?<![-−－\d])\d", text) is not None  # or from behind
    understood = ", ".join(str(axis if counted else axis - rank) for axis in axes)
    if axes in _readings(asked, asked.key):
        return Marked(Outcome.RIGHT, understood)
    option = next((i for i, wrong in enumerate(asked.wrong) if axes in _readings(asked, wrong)), None)
    return Marked(Outcome.WRONG, understood, option)


def _readings(asked: Asked, value: Value) -> set[tuple[int, ...]]:
    spelt = str(value[0]).split("|") if isinstance(value, tuple) else []
    return {read_axes(each, asked.sizes) for each in spelt}


def _cloze(asked: Asked, text: str) -> Marked:
    if asked.sizes:
        return _axes(asked, text)
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
    place = 1 + max(_fitting_steps(order, right) for right in asked.orders)
    return Marked(Outcome.WRONG, understood, option, Message("quiz.order_from", {"place": place}))


def _fitting_steps(order: tuple[int, ...], right: tuple[int, ...]) -> int:
    """How many steps stand in place before the first one that does not."""
    return next((i for i, (one, other) in enumerate(zip(order, right, strict=True)) if one != other), len(order))


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
