"""Takes apart an answer and what a learner adds to it: a remark, a definition, a statement that there is nothing."""

from __future__ import annotations

import re

from grader.quiz.folding import REFUSING

_LIST = r"[(\[][^()\[\]]*\d[^()\[\]]*[)\]]"
_BEHIND = re.compile(rf"(?P<list>{_LIST})\s*(?:[,(;:.]\s*|(?=same|the same|as))(?P<remark>[^\d()\[\]]+)\)?")
_BEFORE = re.compile(
    rf"(?:[\w^.'\s]*\b(?:shape|sizes?)(?:\s+(?:of|is|has))*|(?:we are |we're )?back to"
    rf"|w[\^_]?o\s*[∈:]\s*r\s*\^|w[\^_]?o\s*(?:的形状是?|is))\s*"
    rf"(?P<list>{_LIST})"
)
_TAKEN_BACK = re.compile(  # what says that the list is another one than the answer
    r"\b(?:without|except|if|unless|wrong|false|instead|transposed?|before|reversed?|swap\w*|minus|plus|times|error|raises?)\b"
    r"|没有?(?=$|[做加算])|转置|之前|反|错|去掉|除|倒|交换|还|乘|加|减|异常|如果|假如"
)
_NOTHING = re.compile(
    r"(?:(?:the )?(?:joining|concat\w*|it|this|that|there)\s+(?:itself\s+)?(?:has|is|are|adds|needs|uses|have)\s+)?"
    r"(?:no|zero|without any)\s+(?:new |extra |additional )?(?:trainable |learnable )?(?:param\w*|weights)(?: at all)?"
    r"|(?:参数量?|拼接|它|这一步|这里)?(?:本身|自己)?(?:是|里)?(?:根本|完全)?(?:一个)?[也都]?"
    r"(?:没有|没|不含|不需要|无)(?:任何)?(?:可训练|可学习|额外)?的?参数"
    r"|(?:一个|一点)[也都]?没有"
)
_DEFINED = re.compile(
    r"\s*(?:[,;(]|(?<=\s))\s*(?:(?:where|with|here|and|其中|这里|而)\s*)?"
    r"(?P<said>d(?:_\w+)?\s*(?:=|:|是|为|\bis\b|指)\s*[^,;()]+)\)?$"
)
_ROW = r"(?:(?:np|numpy|torch)\s*\.\s*)?(?:array|tensor)?\s*\(?\[(?P<row>[^()\[\]]+)\]\)?"
_ROW += r"|\((?P<tuple>[^()\[\]]*,[^()\[\]]*)\)"
_TIMES = re.compile(rf"(?:{_ROW})\s*(?P<sign>[/*×·])\s*(?P<by>[\d./]+)")
_SCALED = re.compile(rf"\(?(?P<by>[\d./]+)\)?\s*[*×·]?\s*(?:{_ROW})")
_FILLED = re.compile(
    r"(?:(?:np|numpy|torch)\s*\.\s*)?(?:ones\(\(?(?P<ones>\d),?\)?\)\s*/\s*(?P<by>\d+)"
    r"|full\(\(?(?P<full>\d),?\)?\s*,\s*(?P<value>[\d./]+)\))"
)
_ALIKE = re.compile(r"(?<=\d)\s*[,(]\s*(?:uniform(?:ly)?|equal(?:ly)?|evenly|rounded|均匀|相等|平均)\)?$")
_LABELLED = re.compile(r"(?P<name>[a-z]_?\(?\d?\)?)\s*[=:]\s*(?P<value>[^=:]+)")


def without_remark(plain: str) -> str | None:
    """The one list of `(7, 13, 13), averaged` or `back to (9, 15, 64)`; None where something else is said."""
    found = _BEHIND.fullmatch(plain) or _BEFORE.fullmatch(plain)
    if found is None or REFUSING.search(plain) or _TAKEN_BACK.search(plain):
        return None
    return found["list"]


def says_nothing(plain: str) -> bool:
    """Whether it says that there is none: `no parameters at all`, `0，拼接没有参数`."""
    said = re.sub(r"^0\s*[,;(:]\s*|\)$", "", plain)
    return _NOTHING.fullmatch(said.strip()) is not None


def with_definition(plain: str) -> tuple[str, str]:
    """The formula, and what is said of its names: `4d^2` and `d = d_model` of `4d², where d = d_model`."""
    found = _DEFINED.search(plain)
    front = plain[: found.start()].strip() if found else ""
    return (front, found["said"]) if found and front else (plain, "")


def written_out(plain: str) -> str:
    """A row with each of its numbers: `1/3, 1/3, 1/3` for `[1/3] * 3`, `(1, 1, 1)/3` or `np.ones(3)/3`."""
    plain = _ALIKE.sub("", plain)
    if found := _FILLED.fullmatch(plain):
        value = found["value"] or f"1/{found['by']}"
        return ", ".join([value] * int(found["ones"] or found["full"]))
    if not (found := _TIMES.fullmatch(plain) or _SCALED.fullmatch(plain)):
        return plain
    row = [each for each in re.split(r"[\s,;]+", found["row"] or found["tuple"]) if each]
    sign, by = found.groupdict().get("sign") or "*", found["by"]
    if sign == "*" and len(row) == 1 and by in {"2", "3", "4", "5", "6"}:
        return ", ".join(row * int(by))  # as Python repeats a list
    return ", ".join(f"({each}){'/' if sign == '/' else '*'}({by})" for each in row)


def without_labels(parts: list[str]) -> list[str]:
    """The entries of `w1 = 0.25, w2 = 0.5`; as they are where not all have a name, or the names are out of order."""
    found = [_LABELLED.fullmatch(part) for part in parts]
    labels = [each["name"] for each in found if each]
    if len(parts) < 2 or len(labels) < len(parts) or labels != sorted(set(labels)):
        return parts
    return [each["value"].strip() for each in found if each]
