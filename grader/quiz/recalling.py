"""Looks in a text that was written from memory for the points of a checklist; the learner has the last word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from grader.quiz.folding import UnreadableError, fold_characters
from grader.quiz.grammar import SPELLINGS

MOST = 4000  # characters of a text
_SIZES = {
    spelling: "|".join(map(re.escape, sorted(spellings, key=len, reverse=True)))
    for spellings in SPELLINGS.values()
    for spelling in spellings
}
_SIZES |= {spelling: rf"{pattern}|d(?:_model)?\s*//?\s*h" for spelling, pattern in _SIZES.items() if spelling == "d_k"}


def found_points(text: str, points: Sequence[Sequence[str]]) -> tuple[int, ...]:
    """The points that a text names, counted from 0.

    Args:
        points: for each point spellings, one of which has to occur: words, `A + B` for two that both have to, or a
            shape such as (B, h, L, d_k), found in any brackets and with any separators.

    Raises:
        UnreadableError: there is no text, or one that nobody types in minutes.
    """
    if len(text) > MOST:
        raise UnreadableError("too_long", most=str(MOST))
    plain = re.sub(r"\s+", " ", fold_characters(text)).casefold().strip()
    if not plain:
        raise UnreadableError("empty")
    return tuple(i for i, spellings in enumerate(points) if any(_occurs(each, plain) for each in spellings))


def _occurs(spelling: str, plain: str) -> bool:
    return all(re.search(_pattern(part), plain) is not None for part in spelling.split(" + "))


@cache
def _pattern(part: str) -> str:
    plain = re.sub(r"\s+", " ", fold_characters(part)).casefold().strip()
    if not re.fullmatch(r"\([^()]*,[^()]*\)", plain):
        edge = r"(?<![a-z0-9])" if plain[:1].isascii() else ""
        return edge + re.escape(plain).replace(r"\ ", r"\s*")
    sizes = [each.strip() for each in plain.strip("()").split(",")]
    between = r"\s*[\s,;×x*·]\s*"
    return r"(?<![\w*])" + between.join(f"(?:{_SIZES.get(each, re.escape(each))})" for each in sizes) + r"(?![\w])"


def read_ticks(text: str, count: int, found: Sequence[int]) -> tuple[int, ...]:
    """The points that the learner says are in the text: their numbers, `0` for none, nothing for those found.

    Raises:
        UnreadableError: a number is not there.
    """
    plain = fold_characters(text).strip()
    if not plain:
        return tuple(found)
    numbers = [int(each) for each in re.findall(r"\d+", plain)]
    if re.sub(r"[\d\s,;.、和]", "", plain) or not numbers:
        raise UnreadableError("ticks_wanted", count=str(count))
    if len(numbers) == 1 and numbers[0] > count and count < 10:
        numbers = [int(each) for each in str(numbers[0])]  # 134: points 1, 3 and 4
    wrong = next((each for each in numbers if each > count), None)
    if wrong is not None:
        raise UnreadableError("no_option", text=str(wrong), count=str(count))
    return tuple(sorted({each - 1 for each in numbers if each}))
