"""Takes apart an answer and what a learner adds to it: a remark, a definition, a statement that there is nothing."""

from __future__ import annotations

import re

from grader.quiz.folding import REFUSING, UnreadableError, fold, without_latex
from grader.quiz.grammar import NAMES

_LIST = r"[(\[][^()\[\]]*\d[^()\[\]]*[)\]]"
_BEHIND = re.compile(
    rf"(?P<list>{_LIST})\s*(?:[,(;:.]\s*|-+\s+|(?=same|the same|as))"
    r"(?P<remark>(?:[^\d()\[\]]|(?<=the )\d(?= heads)|(?<=-)1|(?<=becomes )\d+|(?<=算成 )\d+)+)\)?"
)
_BEFORE = re.compile(
    rf"(?:[\w^.'\s]*\b(?:shape|sizes?)(?:\s+(?:of|is|has))*|(?:we are |we're )?back to"
    rf"|回到|还是|仍是"
    rf"|(?:(?:和|与|跟) ?[a-z]+ ?(?:的形状)?(?:一样|相同)|(?:the )?(?:same as|shape of) [a-z]+|[a-z]+ ?的形状是?"
    rf"|对头取了平均)\s*[,:]?"
    rf"|(?:it )?(?:does not|doesn't) raise\s*[,:;]|no error\s*[,:;]|不(?:会)?报错\s*[,:;]"
    rf"|w[\^_]?o\s*[∈:]\s*r\s*\^|w[\^_]?o\s*(?:的形状是?|is))\s*"
    rf"(?P<list>{_LIST})"
)
_UNHURT = re.compile(  # says that code runs, or which shape it is not
    r"[\s,;:(-]*(?:(?:but )?(?:with )?(?:no|without(?: an?)?) errors?"
    r"|(?:but )?(?:it )?(?:does not|doesn't) (?:raise|fail)"
    r"|但?不(?:会)?报错)[\s,;:).]*"
    rf"|[\s,;(]*(?:not|instead of|rather than|而?不是)\s*{_LIST}\)?$"
)
_TAKEN_BACK = re.compile(  # what says that the list is another one than the answer
    r"\b(?:without|except|if|unless|wrong|false|instead|transposed?|before|reversed?|swap\w*|minus|plus|times|error|raises?)\b"
    r"|[)\]]\s*\.\s*m?t\b|没有?(?=$|[做加算])|转置|之前|反|错|去掉|除|倒|交换|还|乘|加|减|异常|如果|假如"
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
_RANGE = re.compile(
    r"(?P<front>[^\d(]*(?P<number>\d+)[^\d(,^]*?)\s*[(,]\s*(?P<noun>(?:columns?|rows?|cols?|keys?|positions?|[行列]|第)\s*)?"
    r"(?P<first>\d+)?\s*个?(?:-|to|through|\.\.|到|至)\s*第?\s*(?P<last>\d+)\s*[行列个]?\)?"
)
_LABELLED = re.compile(r"(?P<name>[a-z]_?\(?\d?\)?)\s*[=:]\s*(?P<value>[^=:]+)")


def without_remark(plain: str) -> str | None:
    """The one list of `(7, 13, 13), averaged` or `back to (9, 15, 64)`; None where something else is said."""
    plain = _UNHURT.sub("", plain) if _UNHURT.search(plain) else plain
    if re.fullmatch(_LIST, plain):
        return plain
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


def concluded(plain: str) -> str:
    """What follows from the rest: `8` of `√64 = 8, so 8`, `17/2 = 8.5` of `6 + 8 + 3 = 17, 17/2 = 8.5`."""
    if REFUSING.search(plain):
        return plain  # 12 or so, maybe 10
    plain = re.split(r"[\s,;]*(?:\b(?:so|hence|thus|therefore)\b|所以|因此|于是)\s*,?\s*(?=\S)", plain)[-1]
    plain = re.sub(r"[\s,;]*(?:\bi\.?e\.|\bthat is\b|\bwhich is\b|也就是说?|即)\s*,?\s*(?=\S)", " = ", plain)
    steps = re.split(r"[,;]\s+(?=[^,;=]*\d[^,;=]*=)", plain)
    if len(steps) > 1 and all(re.match(r"[^=]*\d[^=]*=\s*[\d.]+$", step) for step in steps):
        result = steps[-2].rpartition("=")[2].strip()
        if re.search(rf"(?<![\d.]){re.escape(result)}(?![\d.])", steps[-1].partition("=")[0]):
            return steps[-1]  # goes on from what came out before
    return plain


def without_range(plain: str) -> str:
    """`2` of `2 (columns 32 to 47)`, `9` of `9 (0-8)`: where a range is added that begins there or is as long."""
    found = _RANGE.fullmatch(plain.casefold())
    if found is None or REFUSING.search(plain):
        return plain
    number, last = int(found["number"]), int(found["last"])
    first = int(found["first"]) if found["first"] else None
    fits = (first is None and "-" not in plain) or found["noun"] or number in {first, last + 1 - (first or 0)}
    if not fits and first is not None and first < last:
        raise UnreadableError("groups")
    return found["front"] if fits else plain


def takes_back(plain: str) -> bool:
    """Whether something may say that what stands there is not the answer."""
    return REFUSING.search(plain) is not None or _TAKEN_BACK.search(plain) is not None


def said_of(text: str) -> str:
    """Which size of the question a number is said to be, d of `d_model = 10` and h of `10 heads`; "" where none."""
    plain = without_latex(fold(text)).casefold()
    if re.fullmatch(r"\d+ ?(?:heads|个?头)", plain):
        return "h"
    found = re.fullmatch(r"(?:the )?(?P<name>[a-z_]+)\s*(?:=|:|\bis\b|[是为])\s*\d[\d,]*", plain)
    return NAMES.get(found["name"], "") if found else ""


def without_scores(plain: str) -> str:
    """The formula without what it divides (`QK^T/√d_k`) and what was counted (`(Q, K, V)`); d_k for `q.shape[-1]`."""
    plain = re.sub(r"\b[qk]\s*\.\s*(?:shape\s*\[\s*-1\s*\]|size\(\s*-1\s*\))", "d_k", plain)
    plain = re.sub(
        r"^\(?\s*(?:the )?"
        r"(?:scores?|q\s*[·*@]?\s*k\s*(?:\^?\s*\(?t\)?|\.t|')?|分数)\s*\)?\s*(?:/|除以)\s*(?=√|s?qrt|root|d|\()",
        "",
        plain,
    )
    return re.sub(
        r"\s*(?:\(\s*{0}\s*\)|(?<=\^2)\s+for\s+{0}(?=\s|,|$))".format(
            r"(?:w[_^]?)?[qkvo](?:(?:,|\s|and)+(?:w[_^]?)?[qkvo])*"
        ),
        "",
        plain,
    )
