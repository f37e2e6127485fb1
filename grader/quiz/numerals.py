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
    r"|个|参数量|参数|可训练|维度|维|倍的|倍|列|键|权重|数|格|位|元素|分数|左右|头)$"
)
_COUNTING = "zero one two three four five six seven eight nine ten eleven twelve"
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
LARGE = {"亿": 10**8, "億": 10**8, "万": 10**4, "萬": 10**4}
