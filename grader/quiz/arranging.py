"""Reads options (`b`, `1, 3`), an order of steps (`3 1 2`), pairs (`a2 b1`) and how code ends (`raises`)."""

from __future__ import annotations

import re
from string import ascii_lowercase

from grader.quiz.folding import UnreadableError, fold

OUTCOMES = ("raises", "wrong", "right")  # what may become of code, in the order in which it is asked
_SAID = {
    "raises": r"1|a|一"
    r"|(?:it )?(?:raises?|fails?|throws?|errors?|crash(?:es)?|exception)"
    r"|(?:it )?(?:(?:raises?|throws?) )?an? (?:error|exception)"
    r"|(?:raises? |throws? )?an? ?\w+error|(?!no)\w+error"
    r"|(?:会)?(?:报错|出错|抛出?异常|异常|错误退出)",
    "wrong": r"2|b|二"
    r"|(?:no (?:exception|error),? ?(?:but )?|it (?:runs|works),? ?(?:but|and) )?"
    r"(?:(?:the )?result is |it (?:is )?|it's )?"
    r"(?:silent(?:ly)? ?(?:wrong)?|wrong|incorrect|wrong (?:values?|result))"
    r"|(?:不报错[,，]?但?(?:是)?)?(?:结果|数值|值)?(?:不对|错了?|错误|不正确|悄悄出错)",
    "right": r"3|c|三"
    r"|(?:(?:the )?result is |it (?:is )?|it's )?(?:right|correct|ok(?:ay)?|fine|works?|correct result)"
    r"|(?:不报错[,，]?)?(?:结果|数值)?(?:对|正确|没问题|没错)的?",
}
_CHINESE = str.maketrans("一二三四五六七八九", "123456789")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


def _bare_picks(plain: str) -> str:
    """Options that were picked, without words around their numbers: `option 2`, `#2`, `选第二项`, `no. 2` are `2`."""
    plain = re.sub(r"\b(?:the|options?|answers?|numbers?|no|nr|choices?)\b\.?|选项|答案是?|[#选第项个号]", " ", plain)
    plain = re.sub(rf"\b({'|'.join(_ORDINALS)})\b(?: one\b)?", lambda word: str(1 + _ORDINALS.index(word[1])), plain)
    return plain.translate(_CHINESE).strip(" :")


def read_picks(text: str, count: int, *, several: bool) -> tuple[int, ...]:
    """The options that were picked, counted from 0, ascending: `2`, `b`, `1, 3`, `ac`.

    Raises:
        UnreadableError: no option is named, one that is not there, or several where one is asked for.
    """
    plain = _bare_picks(fold(text).casefold())
    glued = several and re.fullmatch(r"[a-z]+|[1-9]+", plain)
    marks = list(plain) if glued else [each for each in re.split(r"[\s,;/&+.)(\[\]]+|and|和", plain) if each]
    picked = {_place(each, count) for each in marks}
    if not picked or (len(picked) > 1 and not several):
        raise UnreadableError("pick_one" if not several else "pick_some", count=str(count))
    return tuple(sorted(picked))


def _place(text: str, count: int) -> int:
    if text.isdecimal() and 1 <= int(text) <= count:
        return int(text) - 1
    if len(text) == 1 and "a" <= text <= "z" and ord(text) - ord("a") < count:
        return ord(text) - ord("a")
    raise UnreadableError("no_option", text=text, count=str(count))


def read_order(text: str, count: int) -> tuple[int, ...]:
    """The steps in the order in which they were typed, by their places on the screen, counted from 0.

    Raises:
        UnreadableError: it does not name every place once.
    """
    plain = _numbers(text)
    plain = re.sub(
        r"^(?:the |correct |right )*(?:order|steps?)\b(?: is\b)?"
        r"|^(?:我的|正确的?)?(?:答案|顺序)[是为]?|\b(?:then|and)\b|步骤|顺序|然后|[先再是步]"
        r"|[\s,;:>=<.()\[\]/|~&_+-]",
        " ",
        plain,
    )
    if re.fullmatch(r"[a-z]+|[a-z](?:\s+[a-z])*", plain.strip()):
        plain = " ".join(str(ascii_lowercase.index(each) + 1) for each in plain if each.isalpha())
    marks = plain.split()
    if count < 10 and len(marks) == 1:
        marks = list(marks[0])
    if not all(each.isascii() and each.isdigit() for each in marks):
        raise UnreadableError("order_wanted", count=str(count))
    places = tuple(int(each) - 1 for each in marks)
    if sorted(places) != list(range(count)):
        raise UnreadableError("order_wanted", count=str(count))
    return places


def read_pairs(text: str, count: int) -> tuple[int, ...]:
    """For each left end the place of its right end on the screen, counted from 0: `a2 b1 c3`, `2 1 3`, `2a 1b 3c`.

    Raises:
        UnreadableError: it does not name every end once.
    """
    plain = _numbers(text)
    plain = re.sub(r"\b(?:is|and|to|with|goes)\b|[配对是和连选]", " ", plain)
    plain = re.sub(r"^\[(.*)\]$", r"\1", plain)
    plain = re.sub(r"\(\s*(\w+)\s*,\s*(\w+)\s*\)", r"\1 \2;", plain)  # (a, 2)
    letters = ascii_lowercase[:count]
    found = re.findall(rf"([{letters}])[\s:=>.)(\[\]/~&_-]*(\d+)", plain)
    turned = re.findall(rf"(\d+)[\s:=>.)(/~&_-]*([{letters}])", plain)
    if re.sub(r"[\d\s,;:=>.)(、/~&_-]", "", re.sub(rf"[{letters}]", "", plain)):
        raise UnreadableError("pairs_wanted", count=str(count))
    if not re.search("[a-z]", plain):
        return _all_once(read_order(text, count), count)
    pairs = found if re.match(r"[\s(]*[a-z]", plain) else [(letter, number) for number, letter in turned]
    if sorted(letter for letter, _ in pairs) != list(letters) or len(re.findall(r"\d+", plain)) != count:
        raise UnreadableError("pairs_wanted", count=str(count))
    places = {letter: int(number) - 1 for letter, number in pairs}
    return _all_once(tuple(places[letter] for letter in letters), count)


def _all_once(places: tuple[int, ...], count: int) -> tuple[int, ...]:
    if sorted(places) != list(range(count)):
        raise UnreadableError("pairs_wanted", count=str(count))
    return places


def _numbers(text: str) -> str:
    return re.sub(r"[→⇒]", ">", fold(text.replace("→", " ").replace("->", " "))).casefold().translate(_CHINESE)


def read_outcome(text: str) -> str:
    """One of OUTCOMES: by its number, its letter, or in words.

    Raises:
        UnreadableError: none is named.
    """
    plain = re.sub(r"\s+", " ", fold(text).casefold())
    plain = re.sub(r"^\(?([123abc])\)$", r"\1", plain)
    for outcome, said in _SAID.items():
        if re.fullmatch(said, plain):
            return outcome
    raise UnreadableError("outcome_wanted")


def shown_pairs(places: tuple[int, ...]) -> str:
    """Pairs as they are echoed: a2 b1 c3."""
    return " ".join(f"{letter}{place + 1}" for letter, place in zip(ascii_lowercase, places, strict=False))
