"""Reads a pick from the options of a typed question: its letter, what it says, or its place where none is a number.

The options are answers themselves: `4` may be the fourth one, or the one that says 4. So they are shown with letters.
"""

from __future__ import annotations

import re
from string import ascii_lowercase
from typing import TYPE_CHECKING

from grader.quiz.answers import mark
from grader.quiz.arranging import read_picks
from grader.quiz.asked import Outcome
from grader.quiz.folding import UnreadableError, fold

if TYPE_CHECKING:
    from grader.quiz.session import Turn

_NUMBER = re.compile(r"[-+−]?[\d.,/^ ]+")


def read_offered(turn: Turn, text: str) -> int:
    """The place of the option that was picked, counted from 0.

    Raises:
        UnreadableError: none is named, or it could be one of two.
    """
    texts = turn.texts("en")
    letter = re.fullmatch(r"\W*([a-z])\W*", fold(text).casefold())
    named = ascii_lowercase.index(letter[1]) if letter else len(texts)
    said = _place_of(turn, texts, text, spelt_alone=letter is not None)
    found = {place for place in (named, said) if place is not None and place < len(texts)}
    if len(found) == 1:
        return found.pop()
    if not found and not (re.search(r"\d", text) and any(_NUMBER.fullmatch(each) for each in texts)):
        try:
            return read_picks(text, len(texts), several=False)[0]
        except UnreadableError:
            pass
    raise UnreadableError("pick_letter", last=ascii_lowercase[len(texts) - 1])


def _place_of(turn: Turn, texts: list[str], text: str, *, spelt_alone: bool) -> int | None:
    """The option that says what was typed: as it is spelt, else as the checker understands it."""
    spelt = ["".join(each.split()).casefold() for each in texts]
    typed = "".join(text.split()).casefold()
    if spelt.count(typed) == 1:
        return spelt.index(typed)
    if spelt_alone:
        return None
    marked = mark(turn.asked(), text)
    if marked.outcome is Outcome.RIGHT:
        return turn.options.index(0)
    return turn.options.index(1 + marked.option) if marked.option is not None else None
