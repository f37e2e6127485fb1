"""Finds the one number or list in an answer that is a sentence, where nothing but words stands around it.

`the layer has 37,248 learnable parameters` holds one number; `64 hundred`, `64 or 8` and `not 64` do not: their words
change it, or there are two. A word that is not known to be harmless in such a place is, by its kind: letters alone.
"""

from __future__ import annotations

import re

from grader.quiz.folding import REFUSING

# What turns a number into another one, or takes it back; where it occurs, nobody guesses.
_CHANGING = re.compile(
    r"\b(?:dozens?|hundreds?|trillions?|half|double[ds]?|twice|thrice|triple[ds]?|squared?|cubed?|roots?|minus|negative"
    r"|plus|less|more|fewer|over|under|above|below|least|most|up|down|than|log|ln|exp|sin|cos|mod|inverse|reciprocal"
    r"|power|multipl\w+|transposed|reversed|swapped|factorial|base|hex|binary|bits?|wrong|false|incorrect|no|nor|don't|dont|idk|know|without|except|if|unless"
    r"|per\s*mill?e?|halves|thirds?|quarters?|fourths?|fifths?|to|through|until|times|million|billion|thousand|percent"
    r"|zero|one|two|three|four|five|six|seven|eight|nine|ten|error|raises?)\b"
    r"|转置|[不非没无负反倒半双两倍加减乘除百千万亿兆十分点几多少余超至或平方根立错外折报异]"
    r"|(?<!得)到|(?<!第)[零一二三四五六七八九](?![层共步])"
)
_WORD = re.compile(r"(?<![\w.√\\'-])[a-z]+(?:['-][a-z]+)*(?![\w(\[^.])|[\u4e00-\u9fff]+")
_SINGLE = {"a", "i"}
_LIST = re.compile(r"[(\[{][^()\[\]{}]*[,x×*;·][^()\[\]{}]*[)\]}]|(?<![\d.])\d+(?:\s*[x×]\s*\d+)+(?!\s*[x×.\d])")


def number_among_words(plain: str) -> str | None:
    """The one piece with digits of a folded text whose other pieces are words; None where there is no such piece."""
    rest = _without_words(plain)
    if rest is None:
        return None
    bare = re.sub(r"\(\s*\n\s*\)|(?<!\S)-(?!\S)", "\n", rest)
    pieces = [piece.strip(" ,;:") for piece in bare.split("\n")]
    pieces = [piece for piece in pieces if piece]
    return pieces[0] if len(pieces) == 1 and re.search(r"\d", pieces[0]) and pieces[0] != plain else None


def list_among_words(plain: str) -> str | None:
    """The one list of a folded text, in brackets or as 4x6x10, whose rest is words; None where there is none."""
    lists = _LIST.findall(plain)
    if len(lists) != 1 or lists[0] == plain:
        return None
    rest = _without_words(plain.replace(lists[0], "\n"))
    return lists[0] if rest is not None and not rest.strip(" \n,;:.-=") else None


def _without_words(plain: str) -> str | None:
    """The text with a line end in place of every word; None where a word may change what stands beside it."""
    if _CHANGING.search(plain) or REFUSING.search(plain):
        return None
    if any(len(word) == 1 and word not in _SINGLE and word.isascii() for word in _WORD.findall(plain)):
        return None
    return _WORD.sub("\n", plain)
