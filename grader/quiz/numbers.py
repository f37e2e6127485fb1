"""Reads one number as people type it: groups of digits, 万 and million, per cent, fractions, small sums and roots."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from grader.quiz.folding import UnreadableError, fold, without_latex, without_lead
from grader.quiz.formulas import evaluate, parse_formula, sides

_UNITS = {
    "%": Fraction(1, 100),
    "percent": Fraction(1, 100),
    "k": Fraction(10**3),
    "thousand": Fraction(10**3),
    "千": Fraction(10**3),
    "w": Fraction(10**4),
    "万": Fraction(10**4),
    "萬": Fraction(10**4),
    "百万": Fraction(10**6),
    "m": Fraction(10**6),
    "mil": Fraction(10**6),
    "million": Fraction(10**6),
    "millions": Fraction(10**6),
    "千万": Fraction(10**7),
    "亿": Fraction(10**8),
    "億": Fraction(10**8),
    "bn": Fraction(10**9),
    "billion": Fraction(10**9),
    "十亿": Fraction(10**9),
}
_UNIT = "|".join(sorted(map(re.escape, _UNITS), key=len, reverse=True))
_COUNTED = re.compile(
    r"(?:\s|个|的|-)*(?:parameters?|params?|weights?|dimensions?|dims?|columns?|cols?|keys?"
    r"|times(?:\s+as\s+(?:many|much))?|fold|dimensional|per\s+head|numbers?"
    r"|entries|entry|cells?|in\s+(?:all|total)|altogether|trainable|scores?|values?|features?|elements?|wide|exactly"
    r"|个|参数量|参数|维度|维|倍|列|键|权重|数|格|位|元素|分数|左右)$"
)
_COUNTING = "zero one two three four five six seven eight nine ten eleven twelve"
_NOTHING = ("none", "no", "nothing", "没有", "沒有", "无", "零个", "〇")
_TY = ("twen", "thir", "for", "fif", "six", "seven", "eigh", "nine")
_TENS = {f"{start}ty": 10 * i for i, start in enumerate(_TY, start=2)}
_WORDS = {word: i for i, word in enumerate(_COUNTING.split(" "))} | dict.fromkeys(_NOTHING, 0)
_CHINESE = dict(zip("零〇一二三四五六七八九两壹贰叁肆伍陆柒捌玖", (0, *range(10), 2, *range(1, 10)), strict=True))
_SMALL = {"十": 10, "百": 100, "千": 1000, "拾": 10, "佰": 100, "仟": 1000}
_LARGE = {"亿": 10**8, "億": 10**8, "万": 10**4, "萬": 10**4}

_DIGITS = re.compile(r"(?:\d+\.?\d*|\.\d+)")
_GROUPS = re.compile(r"\d{1,3}(?P<by>, ?|_| |')\d{3}(?:(?P=by)\d{3})*(?:\.\d+)?")
_MYRIADS = re.compile(r"\d{1,4}(?P<by>, ?|_| |')\d{4}(?:(?P=by)\d{4})*(?:\.\d+)?")
_DOTTED = re.compile(r"\d{1,3}(?:\.\d{3}){2,}")
_POWER_OF_TEN = re.compile(r"(?P<front>.*\d\.?)\s*(?:e|[×x*·]\s*10\s*(?:\^|\*\*)\s*)\(?(?P<power>[+-]?\d{1,2})\)?")
_WITH_UNIT = re.compile(rf"(?P<front>.*[\d.])\s*(?P<unit>{_UNIT})")


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
    # the words before a sign of equality go, and so does the exact value before a rounded one
    parts = sides(re.sub(r"^.*\S\s*(?:≈|约等于)\s*(?=\S)", "", without_latex(fold(text))))
    about = without_lead(without_latex(fold(text)).casefold())[1]
    if not parts or not parts[-1]:
        raise UnreadableError("empty")
    number = _one(parts[-1], whole=whole)
    places = len(parts[-1].partition(".")[2])
    for part in parts[:-1]:
        other = _side(part, whole=whole)
        if other is not None and abs(other - number.value) > (Fraction(1, 10**places) if places else 0):
            raise UnreadableError("sides_differ")
    return Number(number.value, number.half or _last_place(number.value)) if about else number


def _side(text: str, *, whole: bool) -> Fraction | None:
    """What stands on another side of an equals sign; None where it is no number, as in d/h = 96/4."""
    try:
        return _one(text, whole=whole).value
    except UnreadableError:
        return None


def parse_entry(text: str) -> Number:
    """One number of a list, where commas stand between numbers and never inside."""
    return _one(text.strip(), whole=False)


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
    word = _word(unsigned)
    if word is not None:
        return Number(sign * word)
    for read in (_written, _with_power_of_ten, _with_unit, _chinese):
        number = read(unsigned, whole=whole)
        if number is not None:
            return Number(sign * number.value, number.half)
    _refuse_commas(text)
    if re.match(r"0x\w", text):
        raise UnreadableError("unknown_word", word=text)
    twice = re.fullmatch(r"([\d.,]+)\s+\(([^()]+)\)", text)
    if twice and _side(twice[1], whole=whole) == _side(twice[2], whole=whole) is not None:
        return _one(twice[1], whole=whole)  # 24 (96/4): the number, and where it comes from
    formula = parse_formula(re.sub(r"(?<=[\d)])\s*x\s*(?=[\d(])", "*", text), names=False)
    values = {evaluate(tree, {}) for tree in formula.readings}
    if len(values) > 1:
        raise UnreadableError("two_readings", unclear=True)
    return Number(values.pop())


def _word(text: str) -> Fraction | None:
    """A number that is one word: nine, twenty-four, none; 七分之一 as well."""
    ten, _, one = text.replace(" ", "-").partition("-")
    if text in _WORDS:
        return Fraction(_WORDS[text])
    if ten in _TENS and (not one or _WORDS.get(one, 0) in range(1, 10)):
        return Fraction(_TENS[ten] + _WORDS.get(one, 0))
    bottom, _, top = text.partition("分之")
    whole, part = (_section(each) if each else None for each in (bottom, top))
    return part / whole if part is not None and whole else None


def _bare(text: str) -> str:
    """Without what is counted (`24 dims`, 个参数, 9×), and without brackets around the whole."""
    text = re.sub(r"(?<=\d)\s*[x×]$|^[x×*]\s*(?=\d)", "", without_lead(text.strip())[0])
    while True:
        shorter = _COUNTED.sub("", text).strip()
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
    return None if front is None else _scaled(front, written, _UNITS[found["unit"]], whole=whole)


def _scaled(front: Number, written: str, unit: Fraction, *, whole: bool) -> Number:
    places = len(written.strip().partition(".")[2])
    value = front.value * unit
    half = unit / 10**places / 2
    # the unit itself can be the exact one: 3×10^0, or a count that ends in the digits that were written
    return Number(value, half if not whole or half > Fraction(1, 2) else Fraction(0))


def _chinese(text: str, *, whole: bool) -> Number | None:  # noqa: ARG001 - read like the others
    """二百三十五万九千二百九十六, 235万9296, 2亿; the last place that is written says how far it may be rounded."""
    text = text.replace(" ", "")
    if not re.fullmatch(rf"[\d.{''.join(_CHINESE)}{''.join(_SMALL)}{''.join(_LARGE)}]+", text) or text.isascii():
        return None
    total, rest, last = Fraction(0), text, 1
    for sign, size in (("[亿億]", 10**8), ("[万萬]", 10**4)):
        parts = re.split(sign, rest)
        if len(parts) > 2:
            return None
        if len(parts) == 2:
            section = _section(parts[0] or "一")
            if section is None:
                return None
            total, rest, last = total + section * size, parts[1], size
    if rest:
        section = _section(rest.lstrip("零〇") or "零")
        if section is None or (section.denominator > 1 and total):
            return None
        total, last = total + section, 1
    return Number(total, Fraction(last, 2) if last > 1 else Fraction(0))


def _section(text: str) -> Fraction | None:
    """What stands before 万, or behind it: at most four digits, in Chinese or not."""
    if _DIGITS.fullmatch(text):
        return Fraction(text.rstrip("."))
    if all(sign in _CHINESE for sign in text):
        return Fraction(int("".join(str(_CHINESE[sign]) for sign in text)))
    total, digit = 0, None
    for sign in re.findall(r"\d+|.", text):
        if sign.isdigit():
            digit = int(sign)
        elif sign in _CHINESE:
            digit = _CHINESE[sign] or None
        elif sign in _SMALL:
            total, digit = total + (1 if digit is None else digit) * _SMALL[sign], None
        else:
            return None
    return Fraction(total + (digit or 0))
