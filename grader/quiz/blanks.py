"""Reads what belongs in the blanks of a line: words and short pieces of code, in any capitals, quotes and blanks."""

from __future__ import annotations

import re

from grader.quiz.folding import UnreadableError, fold, without_latex

_LAST = r"(?:(?:the )?last (?:axis|dim(?:ension)?|one)|最后一?个?[轴维]度?)"
_AXIS = r"(?<![a-z])(?:dim[01]\s*[=:]|(?:dims?|axes|axis)\s*[=:]?|轴|维度)\s*(?=-?\d)"
_KEYWORD = (
    r"\s*(?:\(\s*bool\s*\)|:\s*bool\b.*|参数|关键字|keyword|argument|parameter"
    r"|[,(]\s*默认.*|[,(]\s*(?:its |the )?default.*)"
)
_CHINESE = {
    "断言错误": "assertionerror",
    "值错误": "valueerror",
    "类型错误": "typeerror",
    "运行时错误": "runtimeerror",
    "拼接": "concat",
}
_LEAD = re.compile(
    r"^(?:(?:the|an?|it|is|it's|that|this|answer|keyword|argument|exception|called|which|raises?|i think)"
    r"(?!\w)\s*[=:]?\s*|(?:答案|关键字|关键词|参数|参数名|异常|应该|会抛|会|它|这|填|是|为|抛出|报|的)\s*:?\s*)+"
)


def mentions(text: str, blank: str) -> bool:
    """Whether a whole line was typed, with what belongs in the blank in it."""
    words = [each.casefold() for each in blank.split("|") if len(each) > 3]  # shorter ones stand in many a word
    plain = fold(text).casefold()
    return any(_stands(each, plain) or _stands("".join(each.split()), "".join(plain.split())) for each in words)


def _stands(word: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None


def spellings(blank: object) -> list[str]:
    """The spellings of a blank, folded as what is typed."""
    return [folded_word(each) for each in str(blank).split("|")]


def read_blanks(text: str, count: int) -> list[str]:
    """What was typed for each blank: between semicolons, else commas, else blanks."""
    separators = (r"[;；|\n]", r"[,，、]", r"\s*(?:\band\b|&|和|\s/\s)\s*", r"\s+")
    text = re.sub(r"^\s*multihead\s*[（(][^()（）]*[)）]\s*=\s*", "", text, flags=re.IGNORECASE)
    if count > 1:  # the line itself, Concat(head_1, …) · W^O, or 1. Concat 2. W^O
        text = re.sub(r"\(\s*(?:head[^()]*|\.\.\.|…)\s*\)\s*[·*×]?\s*(?=\S)", "; ", text)
        text = re.sub(r"^1[.)、]\s*(\S+)\s+2[.)、]\s*(?=\S)", r"\1; ", text.strip())
    for separator in separators if count > 1 else (r"\Z(?!\Z)",):
        parts = [part.strip() for part in re.split(separator, text.strip())]
        if all(re.match(rf"\(?{i}[.)、]+\s*\S", part) for i, part in enumerate(parts, start=1)) and len(parts) > 1:
            parts = [re.sub(r"^\(?\d[.)、]+\s*", "", part) for part in parts]
        words = [folded_word(part) for part in parts]
        if len(words) == count and all(words):
            return words
    if not folded_word(text):
        raise UnreadableError("empty")
    raise UnreadableError("blanks_wanted", wanted=str(count))


def said_alone(text: str) -> list[str]:
    """What may be meant in a sentence or before a remark: `-1` of `-1 (the last axis)`; as folded_word folds it."""
    plain = without_latex(fold(text)).casefold()
    plain = re.sub(r"(?<=error)\s*(?:\(.*\)|:.*)$", "", plain)
    plain = re.sub(r"(?<=\S)\s*\((?:[^()\d]*[\u4e00-\u9fff][^()\d]*|[^()\d]*[a-z] [a-z][^()\d]*)\)$", "", plain)
    plain = re.sub(rf"^{_LAST}\s*[,:]?\s*(?=[a-z]*\W*\d)|(?<=\d)\s*,\s*{_LAST}$", "", plain)
    plain = re.sub(r"^\w+\s*=\s*(?=\w+\.)|^builtins\.", "", plain)
    shorter = _LEAD.sub("", plain)
    found = [folded_word(each) for each in dict.fromkeys((plain, shorter)) if each.strip()]
    return (
        found
        if re.search(r"n't\b|\b(?:but|except|other|instead|unlike|than)\b|[没非除别]", plain)
        else [*found, *_only_one(plain)]
    )


def _only_one(plain: str) -> list[str]:
    """The one exception that a text names, or the one keyword that is set to False in a call."""
    for piece in (r"\b\w+error\b", r"[(,]\s*(\w+)\s*=\s*false\b", r"^_+\s*=\s*(\w+)$", rf"^(\w+){_KEYWORD}$"):
        named = set(re.findall(piece, plain))
        if len(named) == 1:
            return [folded_word(named.pop())]
    return []


def folded_word(text: str) -> str:
    """A word without capitals, quotes, blanks inside, and what may follow a keyword: `average_attn_weights=False`."""
    word = without_latex(fold(text)).casefold()
    word = re.sub(r"^\(([^()]*)\)$", r"\1", word.strip())
    word = re.sub(r"^the\s+(?=\w)", "", word)
    word = re.sub(r"^(?:the\s+)?(?:keyword|parameter|argument|word|参数名?|关键字|填)\s*(?=\S)", "", word.strip("* "))
    word = re.sub(
        r"^(?:it\s+)?(?:raises?|会?抛出|会?报)?\s*(?:an?\s+)?(?=\w*\s?error)",
        "",
        re.sub(r"(?<=error)\s*异常$", "", word),
    )
    word = re.sub(r"负\s*(?=\d)", "-", word)
    word = re.sub(_AXIS, "", word)  # torch takes axis= as well as dim=
    word = re.sub(r"^w\s*\^\s*\(?0\)?$", "w^o", word)  # a raised letter o is typed as a raised zero
    word = re.sub(r"(?<=\d)\s*(?:\band\b|和|[;、&])\s*(?=-?\d)|(?<=\d)\s+(?=-?\d)", ",", word)
    word = re.sub(r"\s*[=:]\s*(?:false|none)?\s*$", "", word)
    word = re.sub(r"[\s\"'`()\[\]]+|(?<=[a-z])[_-](?=[a-z])", "", word)
    return _CHINESE.get(word, word)


def count_blanks(prompt: str) -> int:
    """How many blanks a prompt has."""
    return len(re.findall(r"_{3,}", prompt))
