"""Reads a shape or a row of numbers as people type it: any brackets, any separators, torch.Size, names of axes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from grader.quiz.among import list_among_words
from grader.quiz.folding import UnreadableError, fold, without_latex, without_lead
from grader.quiz.formulas import evaluate, parse_formula
from grader.quiz.grammar import NAMES
from grader.quiz.numbers import Number, number_in_words, parse_entry
from grader.quiz.numerals import PARTS, WORDS
from grader.quiz.remarks import takes_back, without_labels, without_remark, written_out

RAISES = "raises"  # what an answer such as RuntimeError is read as

_PAIRS = {"(": ")", "[": "]", "{": "}", "<": ">"}
_WRAPPER = re.compile(
    r"^(?:(?:torch|np|numpy)\s*\.\s*)?(?:sizes?|shape|tuple|list|tensor|array|vector|dims?)\s*(?=[(\[{])"
)
_SPACE = re.compile(r"^(?:w\S*\s*)?(?:∈\s*)?r\s*\^\s*(?=[(\[{])")
_ERROR = re.compile(
    r"(?:no shape,?\s*)?(?:it\s+)?(?:an?\s+)?(?:\w*error(?:\s*:.*)?|exception"
    r"|(?:raise|throw|fail|crash(?:e)?)s?(?:\s+.*)?"
    r"|(?:doesn't|does not) work|会?(?:报错|出错|抛异常|抛出异常|抛出\s*\w+|崩溃)|异常|\w*错误)"
)
_BETWEEN = re.compile(r"×|x|-?\bby\b-?|\btimes\b|乘以?")
_RANK = re.compile(
    r"^(?:[\d一二三四五]\s*-?\s*d|[一二三四五]维)(?:imensional)?\s*(?:tensor|array|张量|数组)?[\s:,]*(?=[(\[{])"
)
_JOINED = re.compile(r"\d+(?:\s*(?:-|/)\s*\d+){2,}|\d+(?:\s*[_:]\s*\d+)+")  # 2-8-5-7
# 0.25/0.25/0.5
_DECIMALS = re.compile(r"\d(?:\s*/\s*\d){2,}|\s*\d*\.\d+(?:\s*[/:]\s*\d*\.\d+)+\s*|\d+%(?:\s*[/:]\s*\d+%)+")
_TAIL = re.compile(r"[\s,]*(?:shape|size|tensor|matrix|的?形状|的?张量|的?矩阵|维)$")
_LABEL = re.compile(r"^[^\W\d]\w*\s*[=:]\s*(?P<value>.+)$")
_AXIS = (
    r"(?:batch(?:es)?|sentences?|heads?|seq|len|length|positions?|words?|tokens?|quer(?:y|ies)|keys?|dims?|features?"
    r"|columns?|rows?|d_[kv]|[bhls]|个?(?:头|位置|句子?|词|query|key|列|行|维))"
)
_COUNTED = re.compile(rf"^{_AXIS}\s+(?P<value>\d+)$")
_NAMED = re.compile(rf"^(?P<value>\d+)\s*(?:\(\s*{_AXIS}\s*\)|\s{_AXIS}|[行列]|个?(?:头|位置|句子?|词|query|key))$")
_ENTRY = re.compile(r"^(?:(?![负零一二三四五六七八九十百千万点分])[\u4e00-\u9fff]){1,3}\s*[:=]?\s*(?=[\d.+-])")
_MANUAL = {
    **dict.fromkeys(("n", "bs", "batches", "sentences"), "B"),
    **dict.fromkeys(("head", "heads"), "h"),
    **dict.fromkeys(("query", "queries", "n_q", "l_q", "lq", "positions", "words", "tokens"), "L"),
    **dict.fromkeys(("s", "key", "keys", "n_k", "l_k", "lk"), "S"),
    "c": "d",
}
_STACKED = re.compile(  # 2 tables of 13 x 12, 2个(4, 5)
    rf"(?P<count>\d+|{'|'.join(WORDS)})\s*(?:个|(?:heads|tables|matrices|arrays)(?:\s*(?:of|with|,))*(?:\s*(?:shape|size))?|张)\s*"
    r"(?P<one>[(\[][^()\[\]]+[)\]]|\d+\s*[x×]\s*\d+)(?:的?(?:矩阵|表))?"
)
_EACH_HEAD = re.compile(r"每个?头(?:是|为)?\s*(?P<one>\d+\s*[x×]\s*\d+)\s*,?\s*共?\s*(?:有)?\s*(?P<count>\d+)\s*个?头")
_IN_WORDS = re.compile(rf"\b(one|two|three|four)[\s-]+({'|'.join(PARTS)})s?\b")  # one third
_EQUAL_LISTS = re.compile(r"(?:[(\[][^()\[\]]+[)\]]\s*=\s*)+(?P<last>[(\[][^()\[\]]+[)\]])")
_MOST_AXES = 64


def parse_shape(text: str, sizes: Mapping[str, int]) -> tuple[int, ...] | str:
    """The shape in a text, or RAISES where the answer says that an exception is raised.

    Args:
        sizes: names that stand for a number in this question: {"B": 3, "L": 5}.

    Raises:
        UnreadableError: no shape is found.
    """
    try:
        return _parse_shape(text, sizes)
    except UnreadableError as problem:
        found = None if problem.unclear else _list_alone(text)
        if found is None:
            raise
        return _parse_shape(found, sizes)


def with_brackets(text: str) -> str | None:
    """The text without the one bracket that has no partner, `(2, 4, 5` or `2, 4, 5)`; None where that is not so."""
    plain = fold(text)
    unfinished = re.fullmatch(r"[(\[][\d\s,x×*]+|[\d\s,x×*]+[)\]]", plain)
    return plain.strip("()[]") if unfinished else None


def _list_alone(text: str) -> str | None:
    """The one list of a sentence; None where there is none, or something may take it back."""
    plain = without_latex(fold(text)).casefold()
    plain = re.sub(r"[,\s]*(?:(?:和|与|跟) ?[a-z] ?(?:的形状)?(?:一样|相同)|(?:the )?same as [a-z])$", "", plain)
    plain = re.sub(
        r"^w[_^]?\(?\w+\)?(?:[_^]\(?\w+\)?)?\s*(?::|is|是(?:一个)?|的形状是?|∈\s*r\s*\^)\s*(?=[(\[]?\d)", "", plain
    )
    if re.fullmatch(r"\d+\s*[x×]\s*\d+", plain):
        return plain
    plain = re.sub(
        r"^(?:first|先(?:是|变成|得到)?)\s*[(\[][^()\[\]]*[)\]]\s*,?\s*(?:and )?(?:then|再(?:变成|得到)?)\s*(?=[(\[])",
        "",
        plain,
    )
    plain = re.sub(r"^from\s*[(\[][^()\[\]]*[)\]]\s*to\s*(?=[(\[])", "", plain)
    if re.fullmatch(r"[(\[][^()\[\]]*[)\]]", plain):
        return plain
    shorter = re.sub(r"^从\s*[(\[][^()\[\]]*[)\]]\s*(?:变成|变为|变|到)\s*(?=[(\[][^()\[\]]*[)\]]$)", "", plain)
    return shorter if shorter != plain else without_remark(plain) or list_among_words(plain)


def _parse_shape(text: str, sizes: Mapping[str, int]) -> tuple[int, ...] | str:
    folded = without_latex(fold(text)).casefold()
    if stacked := _STACKED.fullmatch(folded) or _EACH_HEAD.fullmatch(folded):
        return (
            _size(stacked["count"], sizes),
            *(_size(part, sizes) for part in _parts(stacked["one"].strip("()[]"), times=True)),
        )
    plain = _opened(_agreeing(without_lead(folded)[0], sizes))
    if _ERROR.fullmatch(plain):
        return RAISES
    left, equals, right = plain.partition("=")
    if equals and "=" not in right and all(re.search(r"[,;×*·]|\bx\b", side) for side in (left, right)):  # B, h = 2, 8
        found = tuple(tuple(_size(part, sizes) for part in _parts(_opened(side), times=True)) for side in (left, right))
        if found[0] != found[1]:
            raise UnreadableError("sides_differ")
        return found[0]
    parts = _parts(plain, times=True)
    if len(parts) == 2 and re.search(r"col|列", parts[0]) and re.search(r"row|行", parts[1]):
        parts.reverse()  # 96 columns and 288 rows
    return tuple(_size(part, sizes) for part in parts)


def parse_vector(text: str) -> tuple[Number, ...]:
    """The numbers of a row.

    Raises:
        UnreadableError: no row of numbers is found, or one with decimal commas.
    """
    try:
        return _parse_vector(text)
    except UnreadableError as problem:
        found = None if problem.unclear else _list_alone(text)
        if found is None:
            raise
        return _parse_vector(found)


def _parse_vector(text: str) -> tuple[Number, ...]:
    plain = re.sub(r"(?<=[)\]])\s*\.?\^?t$", "", without_latex(fold(text)).casefold())  # a row meant as a column
    plain = re.sub(r"^[^\d()\[\]=]{3,}:\s*(?=[(\[]?[\d.])", "", plain) if not takes_back(plain) else plain
    parts = [part.strip() for part in plain.split(",")]
    if (values := without_labels(parts)) != parts:
        plain = ", ".join(values)
    written = written_out(without_lead(plain)[0])
    plain = _IN_WORDS.sub(lambda said: f"{WORDS[said[1]]}/{PARTS[said[2]]}", _opened(written))
    if re.search(r"\d,\d+\s*[; |]\s*[-+]?\d", plain) and not re.search(r"\.", plain):
        raise UnreadableError("comma_or_point", unclear=True, text=plain, point="0.25, 0.5")
    parts = without_labels([_ENTRY.sub("", part) for part in _parts(plain, times=False)])
    if parts[-1].endswith("%") and not any("%" in part for part in parts[:-1]):
        numbers = [parse_entry(part.rstrip("% ")) for part in parts]
        if any(number.value > 1 for number in numbers[:-1]):  # 25, 25, 50 %: all of them
            return tuple(Number(number.value / 100, number.half / 100) for number in numbers)
    return tuple(parse_entry(part) for part in parts)


def _opened(text: str) -> str:
    """The text without words, wrappers and brackets around the whole."""
    plain = without_latex(fold(text)).casefold()
    plain = re.sub(r"(?<=[)\]])\s*,?\s*(?:float|int)\d+$", "", plain)
    plain = re.sub(r",\s*(?:dtype|grad_fn|device|requires_grad)\s*=[\w.\s<>':]*(?=\)?$)", "", plain)
    plain = without_lead(plain)[0]
    plain = _TAIL.sub("", plain)
    between = "," if re.search(r"[,;|]", plain) else " "
    plain = re.sub(r",?\s*(?:\band\b|和|&)\s*", between, plain)
    if not re.search(r"\bnot\b|不", plain):
        plain = re.sub(r"^.*(?=torch\s*\.\s*size\b)", "", plain)
    plain = re.sub(r"(?<=[行列])\s*(?=\d)|(?<=rows)\s+(?=\d)|(?<=columns)\s+(?=\d)", ",", _RANK.sub("", plain))
    if re.fullmatch(r"(?:\(\d+\)){2,}|(?:\[\d+\]){2,}", plain):
        plain = plain[1:-1].replace(")(", ",").replace("][", ",")
    plain = (
        re.sub(r"^.*[=:]\s*(?=[(\[{<]|torch\s*\.\s*size)", "", plain)
        if plain.count("=") + plain.count(":") == 1
        else plain
    )
    while True:
        before = plain
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
    elif _JOINED.fullmatch(plain) if times else _DECIMALS.fullmatch(plain):
        parts = [part.strip() for part in re.split(r"[-/_:]" if times else r"[/:]", plain)]
    elif times and _BETWEEN.search(plain):
        parts = [part.strip() for part in _BETWEEN.split(plain)]
    elif times and re.search(r"[*·]", plain):
        parts = [part.strip() for part in re.split(r"[*·]", plain)]
    else:
        parts = plain.split()
    if not parts or "" in parts or len(parts) > _MOST_AXES:
        raise UnreadableError("list_gap")
    return parts


def _of_the_manual(text: str, sizes: Mapping[str, int]) -> int | None:
    """Sizes as the manual of torch names them, (N, L, S); without keys of their own there are as many as queries."""
    name = _MANUAL.get(text)
    return sizes.get("L" if name == "S" and "S" not in sizes else name or "")


def _agreeing(plain: str, sizes: Mapping[str, int]) -> str:
    """The last list of `(4, 19, 144) -> (4, 6, 19, 24)`.

    Raises:
        UnreadableError: names stand before it that say something else, (B, L, h) = (4, 6, 19).
    """
    lists = _EQUAL_LISTS.fullmatch(plain)
    if lists is None:
        return plain
    left, last = plain[: lists.start("last")].rstrip("= ")[1:-1], lists["last"]
    try:
        named = tuple(_size(part, sizes) for part in _parts(left, times=True))
        shape = tuple(_size(part, sizes) for part in _parts(last[1:-1], times=True))
    except UnreadableError:
        return last
    if re.fullmatch(r"[^()\[\]\d=]+", left) and named != shape:
        raise UnreadableError("sides_differ")
    return last


def _size(part: str, sizes: Mapping[str, int]) -> int:
    label = _LABEL.match(part) or _COUNTED.match(part) or _NAMED.match(part)
    text = re.sub(r"(?<=[\da-z])\s+x\s+(?=\d)", "*", label["value"] if label else part)
    if text.isdecimal():
        name = NAMES.get(re.split(r"\s*[=:]", part)[0]) if label else None
        if sizes.get(name or "", int(text)) != int(text):
            raise UnreadableError("sides_differ")  # h = 4 where there are 6 heads
        return int(text)
    if (size := _of_the_manual(text, sizes)) is not None:
        return size
    if text == "dim":
        raise UnreadableError("unknown_word", word=text)  # of a head, or of the model
    if (written := number_in_words(text)) is not None:
        return written
    if re.fullmatch(r"-\s*1", text):
        raise UnreadableError("minus_one")
    if re.fullmatch(r"[+-]?\d*\.\d*", text) or text.startswith(("-", "+")):
        raise UnreadableError("whole_sizes", text=text)
    if " " in text and not re.search(r"[-+*/^()×·]|^(?:\d+|[a-z]) [a-z]+_?[a-z]+$", text):
        raise UnreadableError("list_gap")  # two sizes without a separator between them
    values = {
        evaluate(tree, {name: Fraction(size) for name, size in sizes.items()}) for tree in parse_formula(text).readings
    }
    value = values.pop()
    if values or value.denominator != 1 or value <= 0:
        raise UnreadableError("whole_sizes", text=text)
    return value.numerator
