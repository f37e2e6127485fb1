"""Reads which axes of an array are meant: `-1`, `dim=3`, `the last axis`, 倒数第二维, `S`, `L and h`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from grader.quiz.folding import REFUSING, UnreadableError, fold, without_latex
from grader.quiz.grammar import NAMES

_DIGITS = "零一二三四五六七八九"
_ORDINALS = ("first", "second", "third", "fourth", "fifth")
_COUNTED = (
    *((rf"\b{word}\b", str(i)) for i, word in enumerate(("zero", "one", "two", "three", "four"))),
    *((sign, str(i)) for i, sign in enumerate(_DIGITS)),
)
_WORDS = {"batch": "B", "key": "S", "keys": "S", "query": "L", "queries": "L", "head": "h", "heads": "h", "d_k": "k"}
_TOLD = re.compile(  # what stands around an axis and changes nothing
    r"(?<![a-z'])(?:the|an?|it's|its|it|is|i'd|i\.e|i|say|think|guess|my|ans|answer|should|would|must"
    r"|be|along|over|on|at|of|to|for|so|just|probably"
    r"|swap(?:s|ping)?|exchange|axis|axes|dim[01]|dims?|dimensions?|number|no|one|ones|ie)(?![a-z'])\.?"
    r"|沿着?|对着?|在|用|取|交换|互换|维度|那|这|个|一|答案|应该"
    r"|应|我觉得|填|是|为|的|吧|上|做|算|进行|也就|就|[维轴]"
)
_LAST = (
    r"(?:last(?: but (?P<but>one|two))?|(?P<before>second|next|third|2nd|3rd)(?:[- ]to|[- ]from(?: the)?)?[- ]last)\b"
)
_BEHIND = re.compile(rf"倒数第?\s*(\d|[{_DIGITS}])|最?末[维轴尾]度?|最[后末](?:的|那)?(?:一?个?)(?:[维轴]度?|$)")
_REMARK = re.compile(
    r"[\s,;]*\b(?:because|since|as (?:each|it|the)|so that)\b.*$|[\s,;]*(?:因为|由于|这样).*$"
    r"|,\s*dtype\s*=\s*[\w.]+$"
    r"|\s*\(?\b(?:of|in) (?:an? )?(?P<rank>\d+)(?:[- ]?(?:d|dim\w*|axis|axes))?(?: (?:tensor|array))?\)?$"
)
_FROM = re.compile(
    r"[\s,(]*(?:(?:counted|counting|numbered)? ?from (?P<en>0|1|zero|one)"
    r"|从 ?(?P<zh>[01零一]) ?(?:开始)?(?:数起?|算起?|计数?)?)\)?"
)


def read_axes(text: str, names: Mapping[str, int]) -> tuple[int, ...]:
    """The axes that a text names, counted from 0, in its order.

    Args:
        names: the names of the array's axes and their places: {"B": 0, "h": 1, "L": 2, "S": 3}.

    Raises:
        UnreadableError: it names none, says what is not meant, or may mean two.
    """
    rank = len(names)
    plain = re.sub(r"\\dim\b", "dim", fold(text))
    plain = _inside(without_latex(plain).casefold())
    plain, start = _counted_from(re.sub(r"^(?:it's |it is )?(?:over|along|across) ", "", plain))
    said = re.split(r"\bor\b|或者?|还是", re.sub(r"\((?:or|或)([^()]*)\)", r" or \1", plain))
    found = {_one_saying(each, names, rank, start) for each in said}
    if len(found) > 1:
        raise UnreadableError("only_blank")  # `2 or 3`
    return found.pop()


def _inside(plain: str) -> str:
    """What stands in the brackets of a call, `torch.softmax(scores, dim=-1)`, or the text."""
    call = re.fullmatch(
        r"(?:\w+ ?= ?)?(?:[\w.]+(?:\([\w, ]*\))?)?\.?(?:softmax|transpose|swapaxes) ?\((?P<inside>.*)\)", plain
    )
    inside = call["inside"] if call else plain
    return re.sub(r"^(?:scores|x),\s*", "", re.sub(r"^[=:\s]+", "", inside))


def _counted_from(plain: str) -> tuple[str, int | None]:
    """The text without `counted from 0`, and the 0."""
    told = _FROM.search(plain)
    if not told:
        return plain, None
    return plain[: told.start()] + plain[told.end() :], int((told["en"] or told["zh"]) in {"1", "one", "一"})


def _one_saying(plain: str, names: Mapping[str, int], rank: int, start: int | None) -> tuple[int, ...]:
    if REFUSING.search(plain) or re.search(
        r"\b(?:but|except|before|wrong|all|every|of [qkvx])\b|除|错|所有|[前后]两|之前", re.sub(_LAST, "", plain)
    ):
        raise UnreadableError("axis_wanted")
    remark = _REMARK.search(plain)
    if remark and remark["rank"] and int(remark["rank"]) != rank:
        raise UnreadableError("axis_wanted")  # the last of another array
    plain = plain[: remark.start()] if remark else plain
    numbers = re.findall(r"(?<![a-z\d])-?\d+", plain)
    axes = tuple(dict.fromkeys(axis for part in _parts(plain) for axis in _places(part, names, rank, start)))
    if not axes or len(set(numbers)) < len(numbers):
        raise UnreadableError("axis_wanted")
    return axes  # of `-1 = 3`, `-1 (the last axis)` one


def _parts(plain: str) -> list[str]:
    """Pieces that name one axis each."""
    plain = re.sub(r"(?<=[\d)])\s+(?=-?\d)", ",", plain.strip(" .,;`'\""))
    return [each for each in re.split(r"\s*(?:[,;/&()\[\]=:]|\band\b|[和与跟]|即|也就是)\s*", plain) if each.strip()]


def _places(part: str, names: Mapping[str, int], rank: int, start: int | None) -> tuple[int, ...]:
    """The one axis of a piece; () where it holds nothing but words around it."""
    part = part.strip()
    if (last := _from_behind(part)) is not None:
        if re.sub(r"[\s'-]", "", _TOLD.sub(" ", _BEHIND.sub(" ", re.sub(_LAST, " ", part)))):
            raise UnreadableError("axis_wanted")  # the opposite of the last one
        return _within(last, rank)
    ordinal = re.search(rf"\b(?:({'|'.join(_ORDINALS)})|(\d)(?:st|nd|rd|th))\b", part)
    if ordinal:
        return _within(_ORDINALS.index(ordinal[1]) if ordinal[1] else int(ordinal[2]) - 1, rank)
    nth = re.fullmatch(rf"(?:沿着?|在|对)?第 ?(\d|[{_DIGITS}]) ?个?(?:[维轴]度?)?(?:上)?", part)
    if nth:
        return _nth(_DIGITS.index(nth[1]) if nth[1] in _DIGITS else int(nth[1]), rank, start)
    bare = re.sub(r"\b(?:minus|negative)\s+|负", "-", part)
    for word, digit in _COUNTED:
        bare = re.sub(word, digit, bare) if re.search(r"-|\b(?:zero|one|two|three|four)$", bare) else bare
    named = [names[name] for each in re.findall(r"[a-z_]+", bare) if (name := _named(each, names))]
    bare = re.sub(r"\s+", "", _TOLD.sub(" ", bare))
    if re.fullmatch(r"-?\d", bare):
        return _within(int(bare) - (start or 0), rank)
    if len(named) == 1 and re.fullmatch(r"[a-z_]*", bare):
        return (named[0],)
    if bare:
        raise UnreadableError("axis_wanted")
    return ()


def _named(word: str, names: Mapping[str, int]) -> str | None:
    """The axis that a word stands for."""
    name = _WORDS.get(word) or NAMES.get(word)
    return name if name in names else None


def _from_behind(part: str) -> int | None:
    """`the last axis`, `the second to last`, 倒数第二维: a negative number; None where nothing of it is said."""
    if re.search(r"\b(?:rows?|columns?)\b", part):
        return None
    if (counted := _BEHIND.search(part)) and counted[1]:
        return -(_DIGITS.index(counted[1]) if counted[1] in _DIGITS else int(counted[1]))
    if counted:
        return -1
    if not (last := re.search(_LAST, part)) or re.search(r"\blast (?:two|three|2|3)\b", part):
        return None
    behind = {"one": -2, "two": -3, "second": -2, "next": -2, "2nd": -2, "third": -3, "3rd": -3}
    return behind.get(last["but"] or last["before"] or "", -1)


def _nth(number: int, rank: int, start: int | None) -> tuple[int, ...]:
    """第 3 维: the third axis, or the one with the number 3.

    Raises:
        UnreadableError: both are there.
    """
    if start is not None:
        return _within(number - start, rank)
    if number in {0, rank}:
        return _within(number - (number == rank), rank)
    raise UnreadableError("axis_counted", unclear=True, number=str(number))


def _within(axis: int, rank: int) -> tuple[int, ...]:
    if not -rank <= axis < rank:
        raise UnreadableError("axis_missing", axis=str(axis), count=str(rank))
    return (axis % rank,)
