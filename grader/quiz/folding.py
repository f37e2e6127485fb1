"""Folds what people type: one spelling for the many characters that look or mean the same, and LaTeX made plain."""

from __future__ import annotations

import re
import unicodedata

from grader.model import Message

MOST = 300  # characters of an answer; nobody types more for a shape or a number

_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d\u2043\u30fc"
_ALIKE = {
    **dict.fromkeys(_DASHES, "-"),
    **dict.fromkeys("\u2715\u2716\u2a2f\u2573\u2a09", "×"),
    **dict.fromkeys("\u00b7\u22c5\u2219\u2022\u30fb\u2027\u25cf\u2e31", "·"),
    **dict.fromkeys("\u2217\u204e\u2731", "*"),
    **dict.fromkeys("\u00f7\u2215\u2044", "/"),
    **dict.fromkeys("\u2018\u2019\u2032\u02b9\u00b4", "'"),
    **dict.fromkeys("\u201c\u201d\u2033", '"'),
    **dict.fromkeys("【〔「『〖", "["),
    **dict.fromkeys("】〕」』〗", "]"),
    **dict.fromkeys("⟨〈《", "<"),
    **dict.fromkeys("⟩〉》", ">"),
    "、": ",",
    "。": ".",
    "～": "~",
    "∼": "~",
    "≅": "≈",
    "≃": "≈",
}
_TABLE = str.maketrans(_ALIKE)
_SUPER = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-", strict=True))
_SUPER_RUN = re.compile(f"[{''.join(_SUPER)}]+")
_WRAPPING = (("**", "**"), ("$$", "$$"), ("$", "$"), ("`", "`"), ('"', '"'), ("'", "'"), ("\\(", "\\)"), ("\\[", "\\]"))


class UnreadableError(Exception):
    """An answer that cannot be understood, or only by guessing: it is sent back, and costs nothing.

    Attributes:
        message: what was met, for the learner; `unclear` where there are two readings and the learner has to choose.
    """

    def __init__(self, key: str, *, unclear: bool = False, **fields: str) -> None:
        super().__init__(f"{key} {fields}")
        self.message = Message(f"quiz.{key}", fields)
        self.unclear = unclear


def fold(text: str) -> str:
    """The text with one character for those that look or mean the same; blanks at its ends and full stops go.

    Raises:
        UnreadableError: it is longer than anybody types.
    """
    if len(text) > MOST:
        raise UnreadableError("too_long", most=str(MOST))
    text = _SUPER_RUN.sub(_raised, text)
    text = fold_characters(_with_fractions(text))
    text = re.sub("(\\.\\d*?)(\\d)[\u0304\u0305\u0307]", r"\1(\2)", text)  # a line or a dot over what is repeated
    text = re.sub(r"\s+(?:[:;]-?[)(DP])\s*$|\s+", " ", text).strip()  # 10 :)
    text = re.sub(r"\s*(?:={1,3}>|-+>|→|⇒|⟶|:=|={2,3})\s*", " = ", text)  # all say: this is the answer
    return _unwrapped(re.sub(r"[\s.;,!?]+$", "", text).strip())


def same_spelling(understood: str, text: str) -> bool:
    """Whether there is nothing to echo: what was understood is what was typed, but for capitals and blanks."""
    plain, typed = ("".join(each.split()).casefold() for each in (understood, text))
    return plain in {"", typed}


def fold_characters(text: str) -> str:
    """The text with one character for those that look or mean the same, and nothing else changed."""
    text = unicodedata.normalize("NFKC", text).translate(_TABLE)
    return "".join(_plain(character) for character in text)


def _raised(run: re.Match[str]) -> str:
    digits = "".join(_SUPER[character] for character in run[0])
    return f"^{digits}" if digits.isdigit() and len(digits) == 1 else f"^({digits})"


def _with_fractions(text: str) -> str:
    """½ as (1/2); after a digit as a part of its own, 3½ as 3 1/2."""
    pieces = []
    for i, character in enumerate(text):
        flat = unicodedata.normalize("NFKC", character)
        fraction = "\u2044" in flat and len(flat) > 2
        plain = flat.replace("\u2044", "/")
        behind_digit = text[:i].rstrip()[-1:].isdigit()
        if fraction and re.search(r"[^\W\d]\Z", text[:i]) and text[:i].isascii():
            raise UnreadableError("two_readings", unclear=True)  # d_k½: a power, or times a half
        pieces.append((f" {plain}" if behind_digit else f"({plain})") if fraction else character)
    return "".join(pieces)


def _plain(character: str) -> str:
    kind = unicodedata.category(character)
    if kind == "Nd":
        return str(unicodedata.decimal(character))
    if kind == "Cf" or "\ufe00" <= character <= "\ufe0f":
        return ""
    return " " if kind == "Zs" or character in "\t\n\r\v\f" else character


def _unwrapped(text: str) -> str:
    for left, right in _WRAPPING:
        inside = text[len(left) : -len(right)]
        if len(text) > len(left) + len(right) and text.startswith(left) and text.endswith(right) and left not in inside:
            return _unwrapped(inside.strip())
    return text


# --- LaTeX ---------------------------------------------------------------------------------------------------------

_SIGNS = (
    (r"\\(?:times)(?![a-zA-Z])", "×"),
    (r"\\(?:cdot|ast|bullet)(?![a-zA-Z])", "·"),
    (r"\\div(?![a-zA-Z])", "/"),
    (r"\\lfloor(?![a-zA-Z])", "⌊"),
    (r"\\rfloor(?![a-zA-Z])", "⌋"),
    (r"\\sigma(?![a-zA-Z])", "σ"),
    (r"\\in(?![a-zA-Z])", "∈"),
    (r"\\d?im(?![a-zA-Z])", "dim"),
    (r"\\(?:approx|simeq|sim|cong)(?![a-zA-Z])", "≈"),
    (r"\\(?:left|right|bigl?|bigr?|Bigl?|Bigr?|displaystyle|textstyle)(?![a-zA-Z])", ""),
    (r"\\(?:begin|end)\s*\{[pbvB]?matrix\}", " "),
    (r"\\\\|(?<!\\)&", ","),
    (r"\\(?:rm|bf|it|mathrm)(?![a-zA-Z{])\s*(?!\s*\{)", ""),
    (r"\\(?:q?quad)(?![a-zA-Z])|\\[,;:! ]|(?<!^)~", " "),
    (
        r"\\(?:text|textrm|textit|texttt|mathrm|mathit|mathbf|mathsf|mathtt|mathbb|operatorname\*?|rm|num)\s*\{([^{}]*)\}",
        r"\1",
    ),
    (r"\\(?:langle)(?![a-zA-Z])", "("),
    (r"\\(?:rangle)(?![a-zA-Z])", ")"),
    (r"\\([%_{}$#&])", r"\1"),
    (r"\{,\}", ","),
)
_GROUP = r"\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}"  # braces, with two levels of braces in them
_FRACTION = re.compile(rf"\\[dtc]?frac\s*(?:{_GROUP}|(\d))\s*(?:{_GROUP}|(\d))")
_ROOT = re.compile(rf"\\sqrt\s*(?:\[\s*2\s*\])?\s*(?:{_GROUP}|([a-zA-Z]_\w+|\w))")
_NESTED = 12


def without_latex(text: str) -> str:
    r"""LaTeX as plain signs: \frac{a}{b} as ((a)/(b)), \sqrt{x} as sqrt(x), d_{model} as d_model, ^{2} as ^(2).

    Raises:
        UnreadableError: a command is left that means nothing here.
    """
    if not any(sign in text for sign in "\\{}$~"):
        return text
    text = text.replace("$", " ")
    for pattern, plain in _SIGNS:
        text = re.sub(pattern, plain, text)
    for _ in range(_NESTED):
        before = text
        text = re.sub(r"_\{\s*(\w+)\s*\}", r"_\1", text)
        text = _FRACTION.sub(lambda m: f"(({m[1] or m[2]})/({m[3] or m[4]}))", text)
        text = _ROOT.sub(lambda m: f"sqrt({m[1] or m[2]})", text)
        text = re.sub(r"\{([^{}\\]*)\}", r"(\1)", text)
        if text == before:
            break
    left = re.search(r"\\[a-zA-Z]*", text)
    if left:
        raise UnreadableError("unknown_word", word=left[0])
    return text.strip()


# --- words around an answer ------------------------------------------------------------------------------------------

_LEAD = re.compile(
    r"^(?:(?:(?:it|column \d+) goes to|(?:to )?head_?(?=\s*\d)|(?:matrix|array|table) with|the|an?"
    r"|head|row|column|position|they are|no\.|new|now|answer|ans|result"
    r"|i think|i guess|i get|i got|i'd say|i|it's|its|it|is|are|was|be|will"
    r"|would|should|must|has|have|gets?|gives?|becomes?|equals?|there|that's|that|this|so|we|then|just|total"
    r"|of|in|all|each|every|my|exactly|maybe|perhaps|probably|likely|shape|sizes?|tensor|count|number|output"
    r"|dimensions?|matrix|array(?=\s+of)|dims(?=\s*[:\d(\[])|width|scale|weights?|values?|divided? by|by|#"
    r"|正好|恰好|大(?=\s*\d+\s*倍)|贵|多(?=\s*\d+\s*倍)|(?:可以|能)?看[到见]|一个(?=\s*[\d(])|新的?"
    r"|头(?=\s*\d)|第|答案|结果|分数(?=除以)|我觉得|我认为|我猜|觉得|可能|应该|应|就|会|它|形状|大小|总共|一共|共有|共|总|是|为|等于|有|个数|输出"
    r"|变成|变为|得到|分到|得|每个头|每头|每个|每|权重|参数量|参数|答|除以|的)(?![a-z_])|[:=#\s])+"
)
_ABOUT = re.compile(
    r"^(?:about|approximately|approx|around|roughly|circa|ca|差不多|约为|大约|大概|约|≈|~)(?![a-z_])\.?\s*"
)
_TRAIL = re.compile(
    r"(?:[\s,]+(?:i think|i guess|i believe|probably|maybe|though|right)|\s*(?:吧|哦|呢|啊|呀))$"
    r"|[\s,]+(?:because|since|as there|for there|whatever|regardless of|for any|因为|由于|无论|不管).*$"
    r"|,\s*与.{1,12}无关$"
    r"|\s*\((?:(?:counted|counting) from (?:0|zero)|从\s*[0零]\s*(?:开始)?(?:数|计数?)?)\)$"
    r"|\s*\((?:w[_^]?[qkvo][,\s]*)+\)$"  # which matrices were counted
    r"|\s*\((?:the )?sum (?:is |= ?)?1(?:\.0+)?\)|\s*\(和[为是]?\s*1\)"
    r"|(?<=[^\s(])\s*\([^()\d]*(?:[\u4e00-\u9fff]|[a-z]{3,}[ -][a-z]{3,})[^()\d]*\)$"  # a remark: (without biases)
)
REFUSING = re.compile(
    r"\b(?:not|no longer|never|isn't|or|between)\b|不(?![需含带算加考包计])|或|之间"
    r"|\bstd\b|\bstandard deviation\b|标准差|σ(?!\s*\^?\s*\(?2)|\bsigma\b(?!\s*\^)"
    r"|(?<!times )\b(?:more|less|greater|larger|smaller|fewer|bigger) than\b|\bat (?:least|most)\b"
    r"|^(?:over|under|above|below)\b|大于|小于|多于|少于|超过|低于|高于|以上|以下|以内|至少|至多|最多|最少"
)


def without_lead(text: str) -> tuple[str, bool]:
    """The text without words such as `the answer is`, and whether it was said to be rounded (`about`, 约, ≈).

    Raises:
        UnreadableError: it says what the answer is not, or names several.
    """
    if refusing := REFUSING.search(text):
        raise UnreadableError("unknown_word", word=refusing[0])  # `8 or 64`, `not 8`, `> 8`: nobody guesses
    about = False
    while True:
        shorter = _LEAD.sub("", _TRAIL.sub("", text))
        lighter = _ABOUT.sub("", shorter)
        about = about or lighter != shorter
        if lighter == text:
            return text, about
        text = lighter
