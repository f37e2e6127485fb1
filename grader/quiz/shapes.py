"""Reads a shape or a row of numbers as people type it: any brackets, any separators, torch.Size, names of axes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from grader.quiz.folding import UnreadableError, fold, without_latex, without_lead
from grader.quiz.formulas import evaluate, parse_formula
from grader.quiz.numbers import Number, parse_entry

RAISES = "raises"  # what an answer such as RuntimeError is read as

_PAIRS = {"(": ")", "[": "]", "{": "}", "<": ">"}
_WRAPPER = re.compile(r"^(?:(?:torch|np|numpy)\s*\.\s*)?(?:size|shape|tuple|list|tensor|array|vector)\s*(?=[(\[{])")
_SPACE = re.compile(r"^(?:\\in\s*|∈\s*)?r\s*\^\s*(?=[(\[{])")
_ERROR = re.compile(
    r"(?:an?\s+)?(?:\w*error|exception|raises?(?:\s+.*)?|it\s+(?:fails|raises)|报错|会报错|出错|抛出异常|抛异常|异常|抛出\s*\w+)"
)
_BETWEEN = re.compile(r"×|x|\bby\b|乘")
_TAIL = re.compile(r"[\s,]*(?:shape|size|tensor|的?形状|的?张量|维)$")
_LABEL = re.compile(r"^[^\W\d]\w*\s*[=:]\s*(?P<value>.+)$")
_COUNTED = re.compile(r"^(?:batch(?:es)?|heads?|seq|len|length|positions?|dims?)\s+(?P<value>\d+)$")
_MOST_AXES = 64


def parse_shape(text: str, sizes: Mapping[str, int]) -> tuple[int, ...] | str:
    """The shape in a text, or RAISES where the answer says that an exception is raised.

    Args:
        sizes: names that stand for a number in this question: {"B": 3, "L": 5}.

    Raises:
        UnreadableError: no shape is found.
    """
    plain = _opened(text)
    if _ERROR.fullmatch(plain):
        return RAISES
    parts = _parts(plain, times=True)
    return tuple(_size(part, sizes) for part in parts)


def parse_vector(text: str) -> tuple[Number, ...]:
    """The numbers of a row.

    Raises:
        UnreadableError: no row of numbers is found, or one with decimal commas.
    """
    plain = _opened(text)
    if re.search(r"\d,\d+\s*[; |]\s*[-+]?\d", plain) and not re.search(r"\.", plain):
        raise UnreadableError("comma_or_point", unclear=True, text=plain, point="0.25, 0.5")
    return tuple(parse_entry(part) for part in _parts(plain, times=False))


def _opened(text: str) -> str:
    """The text without words, wrappers and brackets around the whole."""
    plain = without_lead(without_latex(fold(text)).casefold())[0]
    plain = re.sub(r",?\s*(?:\band\b|和)\s*", ",", _TAIL.sub("", plain))
    plain = re.sub(r"(?<=[)\]])\s*\.?\^?t$", "", plain)  # a row that is meant as a column
    plain = (
        re.sub(r"^.*[=:]\s*(?=[(\[{<]|torch\s*\.\s*size)", "", plain)
        if plain.count("=") + plain.count(":") == 1
        else plain
    )
    while True:
        before = plain
        plain = re.sub(r",\s*dtype\s*=[\w.\s]*(?=\)?$)", "", plain)
        plain = _SPACE.sub("", _WRAPPER.sub("", without_lead(plain)[0])).strip()
        if plain[:1] in _PAIRS and _closes(plain) == len(plain) - 1:
            plain = plain[1:-1].strip()
        if plain == before:
            break
    if not plain:
        raise UnreadableError("empty")
    return plain


def _closes(text: str) -> int:
    """Where the bracket that the text begins with is closed.

    Raises:
        UnreadableError: it is closed by another kind of bracket, or never.
    """
    open_ones: list[str] = []
    for i, character in enumerate(text):
        if character in _PAIRS:
            open_ones.append(_PAIRS[character])
        elif character in _PAIRS.values():
            if not open_ones or open_ones.pop() != character:
                raise UnreadableError("brackets")
            if not open_ones:
                return i
    raise UnreadableError("brackets")


def _parts(plain: str, *, times: bool) -> list[str]:
    """The entries; commas, semicolons and bars come first, then × or x, then *, then blanks."""
    if re.search(r"[,;|]", plain):
        parts = [part.strip() for part in re.split(r"[,;|]", plain)]
        if parts[-1] == "":
            parts.pop()
    elif times and _BETWEEN.search(plain):
        parts = [part.strip() for part in _BETWEEN.split(plain)]
    elif times and re.search(r"[*·]", plain):
        parts = [part.strip() for part in re.split(r"[*·]", plain)]
    else:
        parts = plain.split()
    if not parts or "" in parts or len(parts) > _MOST_AXES:
        raise UnreadableError("list_gap")
    return parts


def _size(part: str, sizes: Mapping[str, int]) -> int:
    label = _LABEL.match(part) or _COUNTED.match(part)
    text = label["value"] if label else part
    if text.isdigit():
        return int(text)
    if re.fullmatch(r"-\s*1", text):
        raise UnreadableError("minus_one")
    if re.fullmatch(r"[+-]?\d*\.\d*", text) or text.startswith(("-", "+")):
        raise UnreadableError("whole_sizes", text=text)
    if " " in text and not re.search(r"[-+*/^()×·]", text):
        raise UnreadableError("list_gap")  # two sizes without a separator between them
    values = {
        evaluate(tree, {name: Fraction(size) for name, size in sizes.items()}) for tree in parse_formula(text).readings
    }
    value = values.pop()
    if values or value.denominator != 1 or value <= 0:
        raise UnreadableError("whole_sizes", text=text)
    return value.numerator
