"""Words and signs that stand for a number or a unit, and those for what is counted, in English and Chinese."""

from __future__ import annotations

import re
from fractions import Fraction

UNITS = {
    "%": Fraction(1, 100),
    "percent": Fraction(1, 100),
    "per cent": Fraction(1, 100),
    "pct": Fraction(1, 100),
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
UNIT = "|".join(sorted(map(re.escape, UNITS), key=len, reverse=True))
COUNTED = re.compile(
    r"(?:\s|个|的|-)*(?:parameters?|params?|weights?|dimensions?|dims?|columns?|cols?|keys?"
    r"|times\s+the|times\s+(?:more|larger|bigger|dearer)|times(?:\s+as\s+(?:many|much))?|fold|dimensional|per\s+head|numbers?"
    r"|entries|entry|cells?|in\s+(?:all|total)|altogether|trainable|scores?|values?|features?|elements?|wide|exactly"
    r"|(?<=/\d)(?:rd|th)s?|heads?|each|(?<=-)d|(?:are\s+)?(?:blocked|masked)"
    r"|个|行|参数量|参数|可训练|维度|维|倍的|倍|列|键|权重|数|格|位|元素|分数|左右|头)$"
)
_COUNTING = "zero one two three four five six seven eight nine ten eleven twelve"
_SMALL = frozenset(_COUNTING.split(" ")[1:])
_NOTHING = ("none", "no", "nil", "nothing", "没有", "沒有", "不需要", "无", "零个", "〇")
_TY = ("twen", "thir", "for", "fif", "six", "seven", "eigh", "nine")
TENS = {f"{start}ty": 10 * i for i, start in enumerate(_TY, start=2)}
PARTS = {
    "half": 2,
    "halves": 2,
    "third": 3,
    "quarter": 4,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "eighth": 8,
    "seventh": 7,
    "ninth": 9,
    "tenth": 10,
}
WORDS = {word: i for i, word in enumerate(_COUNTING.split(" "))} | dict.fromkeys(_NOTHING, 0)
CHINESE = dict(zip("零〇一二三四五六七八九两壹贰叁肆伍陆柒捌玖", (0, *range(10), 2, *range(1, 10)), strict=True))
SMALL = {"十": 10, "百": 100, "千": 1000, "拾": 10, "佰": 100, "仟": 1000}
_GROUPS = {"thousand": Fraction(10**3), "million": Fraction(10**6), "billion": Fraction(10**9)}
LARGE = {"亿": 10**8, "億": 10**8, "万": 10**4, "萬": 10**4}


def _english(text: str) -> Fraction | None:
    """A number of several words, `two hundred and fifty-three`, `eight and a half`; None where it is none."""
    words = re.sub(r"-|\band(?! a half)\b", " ", text).split()
    half = words[-3:] == ["and", "a", "half"]
    total, section, before = Fraction(0), Fraction(0), Fraction(10**10)
    for word in words[:-3] if half else words:
        number = TENS.get(word, WORDS.get(word) if word in _SMALL else None)
        if word == "hundred" and 0 < section < 10:
            section, before = section * 100, Fraction(100)
        elif word in _GROUPS and section:
            total, section, before = total + section * _GROUPS[word], Fraction(0), Fraction(10**10)
        elif number and (number < before if number < 20 else before >= 100):
            section, before = section + number, Fraction(10 if number >= 20 else 1)
        else:
            return None
    return total + section + (Fraction(1, 2) if half else 0) if len(words) > 1 and total + section else None


def in_words(text: str) -> Fraction | None:
    """A number in words or with words in it: nine, none, 2 thirds, 13 1/2, 七分之一; None where it is none."""
    ten, _, one = text.replace(" ", "-").partition("-")
    if (parts := PARTS.get((one or ten).removesuffix("s"))) and (not one or ten in WORDS):
        return Fraction(WORDS[ten] if one else 1, parts)
    if text in WORDS:
        return Fraction(WORDS[text])
    if ten in TENS and (not one or WORDS.get(one, 0) in range(1, 10)):
        return Fraction(TENS[ten] + WORDS.get(one, 0))
    if text.endswith("成") and text[:-1] in CHINESE:
        return Fraction(CHINESE[text[:-1]], 10)
    bottom, _, top = text.partition("分之")
    whole, part = (section_of(each) if each else None for each in (bottom, top))
    if part is not None and whole:
        return part / whole
    return _mixed(text) or _english(text)


def _mixed(text: str) -> Fraction | None:
    """2 thirds, 13 1/2, 33 1/3 %."""
    found = re.fullmatch(r"(\d+)[ -]([a-z]+)", text)
    if found and (bottom := PARTS.get(found[2]) or PARTS.get(found[2].removesuffix("s"))):
        return Fraction(int(found[1]), bottom)
    found = re.fullmatch(r"(\d+)\s+(\d)/(\d{1,2})\s*(%?)", text)
    if found is None or int(found[2]) >= int(found[3]):
        return None
    value = int(found[1]) + Fraction(int(found[2]), int(found[3]))
    return value / 100 if found[4] else value


def section_of(text: str) -> Fraction | None:
    """What stands before 万, or behind it: at most four digits, in Chinese or not."""
    if not text:
        return None
    if re.fullmatch(r"\d+\.?\d*|\.\d+", text):
        return Fraction(text.rstrip("."))
    if all(sign in CHINESE for sign in text):
        return Fraction(int("".join(str(CHINESE[sign]) for sign in text)))
    total, digit = 0, None
    for sign in re.findall(r"\d+|.", text):
        if sign.isdecimal():
            digit = int(sign)
        elif sign in CHINESE:
            digit = CHINESE[sign] or None
        elif sign in SMALL:
            total, digit = total + (1 if digit is None else digit) * SMALL[sign], None
        else:
            return None
    return Fraction(total + (digit or 0))
