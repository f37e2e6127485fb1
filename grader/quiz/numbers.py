"""Reads one number as people type it: groups of digits, 万 and million, per cent, fractions, small sums and roots."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from grader.quiz.among import number_among_words
from grader.quiz.folding import UnreadableError, fold, without_latex, without_lead
from grader.quiz.formulas import evaluate, parse_formula, sides
from grader.quiz.numerals import CHINESE, COUNTED, LARGE, SMALL, UNIT, UNITS, in_words, section_of
from grader.quiz.remarks import concluded, says_nothing, without_range

_DIGITS = re.compile(r"(?:\d+\.?\d*|\.\d+)")
_GROUPS = re.compile(r"\d{1,3}(?P<by>, ?|_| |')\d{3}(?:(?P=by)\d{3})*(?:\.\d+)?")
_MYRIADS = re.compile(r"\d{1,4}(?P<by>, ?|_| |')\d{4}(?:(?P=by)\d{4})*(?:\.\d+)?")
_REPEATING = re.compile(r"(\d*)\.(\d*)\((\d+)\)")
_WRAPPED = re.compile(r"^(?:(?:np|numpy|torch)\s*\.\s*)?(?:int(?!\([^()]*/)|float|tensor|array|print)\d*\s*(?=\()")
_DOTTED = re.compile(r"\d{1,3}(?:\.\d{3}){2,}")
_POWER_OF_TEN = re.compile(r"(?P<front>.*\d\.?)\s*(?:e|[×x*·]\s*10\s*(?:\^|\*\*)\s*)\(?(?P<power>[+-]?\d{1,2})\)?")
_WITH_UNIT = re.compile(rf"(?P<front>.*[\d.])\s*(?P<unit>{UNIT})")


_MOST_BRACKETS = 6  # in a number that is explained by another one


@dataclass(frozen=True)
class Number:
    """A number and how far it may have been rounded."""

    value: Fraction
    half: Fraction = Fraction(0)  # half a unit of its last digit where it was rounded (236万, 2.4e6, ≈), else 0

    @property
    def shown(self) -> str:
        """How it is echoed: 2,359,296, 0.25, or 1/3."""
        return show_number(self.value)


def show_number(value: Fraction) -> str:
    """A number as it is printed: whole numbers in groups of three digits."""
    if value.denominator == 1:
        return f"{value.numerator:,}"
    decimal = f"{float(value):.6g}"
    return decimal if Fraction(decimal) == value or value.denominator >= 10**4 else str(value)


def parse_number(text: str, *, whole: bool) -> Number:
    """The number in a text.

    Args:
        whole: a count is asked for. Then 2,359 is two thousand; otherwise a comma might be a decimal one.

    Raises:
        UnreadableError: no number is found, or more than one reading (0,25).
    """
    try:
        return _parse(text, whole=whole)
    except UnreadableError as problem:
        piece = None if problem.unclear else number_among_words(without_latex(fold(text)).casefold())
        if piece is None:
            raise
        return _parse(piece, whole=whole)


def _parse(text: str, *, whole: bool) -> Number:
    # the words before a sign of equality go, and so does the exact value before a rounded one
    if re.search(r"\d\s*!+\s*$", text):
        raise UnreadableError("two_readings", unclear=True)  # a factorial, or an exclamation
    if compared := re.search(r"[<>≤≥]=?(?=.*\d)", fold(text)):
        raise UnreadableError("unknown_word", word=compared[0])
    plain = without_range(concluded(without_latex(fold(re.split(r"→|⇒|[-=]>", text)[-1]))))
    if says_nothing(plain.casefold()):
        return Number(Fraction(0))
    if re.match(
        r"(?:multipl(?:ied|y|ying)(?: \w+)? by|times|乘以?)\s*\d"
        if whole
        else r"(?:[×x*]|multipl(?:ied|y|ying)(?: \w+)? by|times|乘以?)\s*\d",
        plain,
    ):
        raise UnreadableError("unknown_word", word=plain.split(" ")[0])  # ×8 may be meant as the contrary of /8
    plain = re.sub(r"\(\s*[=≈~]\s*", "(", plain)
    plain = re.sub(r"^(\d[\d.]*)\s*:\s*(\d[\d.]*)$", r"\1/\2", plain)
    parts = sides(re.sub(r"^.*\S\s*(?:≈|约等于)\s*(?=\S)", "", plain))
    if len(parts) > 1 and _side(parts[-1], whole=whole) is None and _named(parts[-1]):
        parts.pop()  # 8 = √d_k
    about = without_lead(without_latex(fold(text)).casefold())[1]
    if not parts or not parts[-1]:
        raise UnreadableError("empty")
    number = _one(parts[-1], whole=whole)
    for part in parts[:-1]:
        other = _side(part, whole=whole)
        if other is not None and abs(other - number.value) > _rounded(part, parts[-1]):
            raise UnreadableError("sides_differ")
    return Number(number.value, number.half or _last_place(number.value)) if about else number


def _rounded(*texts: str) -> Fraction:
    """How far numbers may be apart that are said to be one: a unit of the last decimal place of the coarser."""
    places = [len(found[0]) for text in texts if (found := re.findall(r"\d\.(\d+)", text)[-1:])]
    return Fraction(1, 10 ** min(places)) if places else Fraction(0)


def _named(text: str) -> bool:
    """Whether it is a formula with names in it, which says where a number comes from: d_model/h."""
    try:
        parse_formula(text)
    except UnreadableError:
        return False
    return re.search(r"[a-z]", text) is not None


def _side(text: str, *, whole: bool) -> Fraction | None:
    """What stands on another side of an equals sign; None where it is no number, as in d/h = 96/4."""
    number = _number_of(text, whole=whole)
    return None if number is None else number.value


def _number_of(text: str, *, whole: bool) -> Number | None:
    try:
        return _one(text, whole=whole)
    except UnreadableError:
        return None


def parse_entry(text: str) -> Number:
    """One number of a list, where commas stand between numbers and never inside."""
    return _one(text.strip(), whole=False)


def number_in_words(text: str) -> int | None:
    """A whole number that is written out, `eight` or `八`; None where it is none."""
    number = _chinese(text, whole=True)
    value = in_words(text) if number is None else number.value
    return None if value is None or value.denominator > 1 else value.numerator


def _last_place(value: Fraction) -> Fraction:
    """Half of the last digit that was written, for a number that was said to be rounded."""
    digits = str(value.numerator) if value.denominator == 1 else ""
    return Fraction(10 ** (len(digits) - len(digits.rstrip("0")))) / 2 if digits.strip("0") else Fraction(0)


def _one(text: str, *, whole: bool) -> Number:
    text = _bare(text)
    if not text:
        raise UnreadableError("empty")
    sign = -1 if text[0] == "-" else 1
    unsigned = text[1:].strip() if text[0] in "+-" else text
    word = in_words(unsigned)
    if word is not None:
        return Number(sign * word)
    for read in (_written, _with_power_of_ten, _with_unit, _chinese):
        number = read(unsigned, whole=whole)
        if number is not None:
            return Number(sign * number.value, number.half)
    _refuse_commas(text)
    if re.match(r"0x\w", text):
        raise UnreadableError("unknown_word", word=text)
    if explained := _explained(text, whole=whole):
        return explained
    text = re.sub(r"^(\d+)\s*(?:matrices(?: of)?|tables of|个)\s*(\d+)\s*[x×*]\s*(\d+)(?:的?矩阵)?$", r"\1*\2*\3", text)
    text = re.sub(r"(?:torch|np|numpy)\s*\.\s*(?:tensor|array)\(([\d.]+)\)", r"(\1)", text)
    formula = parse_formula(re.sub(r"(?<=[\d)])\s*x\s*(?=[\d(])", "*", text), names=False)
    values = {evaluate(tree, {}) for tree in formula.readings}
    if len(values) > 1:
        raise UnreadableError("two_readings", unclear=True)
    return Number(values.pop())


def _explained(text: str, *, whole: bool) -> Number | None:
    """The number of `24 (96/4)`, `2.83 (√8)` or `10 (d_model / h)`, which say where it comes from; None elsewhere."""
    twice = re.fullmatch(
        r"(.*\S)\s+\(\s*[=≈~]?\s*([^()]+)\)|(.*[\d)%])\((√.*|sqrt.*|[\d.]+\s*[/×*^].*|(?<=%\()[\d.]+)\)", text
    )
    said = [each for each in twice.groups() if each] if twice else []
    if not said or said[0].count("(") > _MOST_BRACKETS:
        return None
    number = _number_of(said[0], whole=whole)
    if number is None:
        return None
    other = _side(said[1], whole=whole)
    if other is None:
        return number if re.search(r"[a-z]", said[1]) and _named(said[1]) else None
    return number if abs(number.value - other) <= _rounded(*said) else None


def _bare(text: str) -> str:
    """Without what is counted (`24 dims`, 个参数, 9×), and without brackets around the whole."""
    text = re.sub(r"(?<=\d)\s*[x×]$|^[x×*/]\s*(?=[\d√]|sqrt)", "", without_lead(text.strip())[0])
    text = re.sub(r"^[\u4e00-\u9fff]{1,6}的\s*(?=\d+\s*倍)", "", text)
    text = re.sub(r"^(?:负|negative\s|minus\s)\s*", "-", _WRAPPED.sub("", text))
    text = re.sub(r"^(\d[\d.]*)\s*out of\s*(\d[\d.]*)$", r"\1/\2", text)
    while True:
        shorter = COUNTED.sub("", text).strip()
        inside = shorter[1:-1]
        if shorter[:1] + shorter[-1:] in {"()", "[]"} and not set(inside) & set("()[]"):
            shorter = inside.strip()
        if shorter in {text, ""}:
            return text
        text = shorter


def _written(text: str, *, whole: bool) -> Number | None:
    """Digits, perhaps in groups."""
    if _DIGITS.fullmatch(text):
        if whole and re.fullmatch(r"[1-9]\d{0,2}\.\d{3}", text):
            raise UnreadableError("point_or_group", unclear=True, text=text)
        return Number(Fraction(text.rstrip(".") if text[0] != "." else f"0{text}"))
    groups = _GROUPS.fullmatch(text) or _MYRIADS.fullmatch(text)
    if groups and text[0] != "0":
        if groups["by"].startswith(",") and not whole and text.count(",") == 1 and "." not in text:
            raise UnreadableError("comma_or_point", unclear=True, text=text, point=text.replace(",", "."))
        return Number(Fraction(re.sub(r"[^\d.]", "", text)))
    if repeating := _REPEATING.fullmatch(text):
        front, once, again = repeating.groups()
        nines = Fraction(int(again), (10 ** len(again) - 1) * 10 ** len(once))
        return Number(Fraction(f"{front or 0}.{once or 0}") + nines)
    if whole and _DOTTED.fullmatch(text) and text[0] != "0":
        return Number(Fraction(text.replace(".", "")))
    return None


def _refuse_commas(text: str) -> None:
    """A comma that groups no digits is a decimal one, or stands between two answers: nobody guesses."""
    if re.fullmatch(r"[+-]?\d+\s*,\s*\d+", text):
        raise UnreadableError("comma_or_point", unclear=True, text=text, point=re.sub(r"\s*,\s*", ".", text))
    ungrouped = re.sub(r"(?<![\d,])\d{1,3}(?:,\d{3})+(?![\d,])", "1", text)
    if "pow" not in text and re.search(r"\d[ ,_']+\d", ungrouped):
        raise UnreadableError("groups")


def _with_power_of_ten(text: str, *, whole: bool) -> Number | None:
    found = _POWER_OF_TEN.fullmatch(text)
    front = _written(found["front"].strip(), whole=False) if found else None
    if found is None or front is None:
        return None
    return _scaled(front, found["front"], Fraction(10) ** int(found["power"]), whole=whole)


def _with_unit(text: str, *, whole: bool) -> Number | None:
    found = _WITH_UNIT.fullmatch(text)
    if found is None:
        return None
    written = found["front"].strip()
    if re.fullmatch(r"\d+,\d+", written) and not _GROUPS.fullmatch(written):
        raise UnreadableError("comma_or_point", unclear=True, text=written, point=written.replace(",", "."))
    front = _written(written, whole=False)
    return None if front is None else _scaled(front, written, UNITS[found["unit"]], whole=whole)


def _scaled(front: Number, written: str, unit: Fraction, *, whole: bool) -> Number:
    places = len(written.strip().partition(".")[2])
    value = front.value * unit
    half = unit / 10**places / 2
    # the unit itself can be the exact one: 3×10^0, or a count that ends in the digits that were written
    return Number(value, half if not whole or half > Fraction(1, 2) else Fraction(0))


def _chinese(text: str, *, whole: bool) -> Number | None:  # noqa: ARG001 - read like the others
    """二百三十五万九千二百九十六, 235万9296, 2亿; the last place that is written says how far it may be rounded."""
    text = text.replace(" ", "")
    front, point, behind = text.partition("点")
    if point and (head := section_of(front)) is not None and all(sign in CHINESE for sign in behind):
        return Number(Fraction(f"{head}.{''.join(str(CHINESE[sign]) for sign in behind)}"))
    if not re.fullmatch(rf"[\d.{''.join(CHINESE)}{''.join(SMALL)}{''.join(LARGE)}]+", text) or text.isascii():
        return None
    total, rest, last = Fraction(0), text, 1
    for sign, size in (("[亿億]", 10**8), ("[万萬]", 10**4)):
        parts = re.split(sign, rest)
        if len(parts) > 2:
            return None
        if len(parts) == 2:
            section = section_of(parts[0] or "一")
            if section is None:
                return None
            total, rest, last = total + section * size, parts[1], size
    if rest:
        section = section_of(rest.lstrip("零〇") or "零")
        if section is None or (section.denominator > 1 and total):
            return None
        total, last = total + section, 1
    return Number(total, Fraction(last, 2) if last > 1 else Fraction(0))
