"""Reads what a failed sample check says, so that a student is shown it in short lines, and in their language.

numpy's text of two arrays that differ, an assertion as it is written, or any text  -->  Seen
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from grader.model import Message

MOST_LINES = 12  # of one array, or of any other text
_COUNT = re.compile(r"^Mismatched elements: (\d+ / \d+)", re.MULTILINE)
_FIRST = re.compile(r"^ *(\[[\d, ]*\]): (.+) \(ACTUAL\), (.+) \(DESIRED\)$", re.MULTILINE)
_SHAPES = re.compile(r"\(shapes (\(.*?\)), (\(.*?\)) mismatch\)")
_NAN = re.compile(r"^(?:x and y )?(?:nan|inf) location mismatch", re.MULTILINE | re.IGNORECASE)
# both labels of the arrays, those of numpy 2 and the ones before
_ARRAYS = re.compile(r"^ (?:ACTUAL|x): (.*?)\n (?:DESIRED|y): (.*)\Z", re.MULTILINE | re.DOTALL)
_ERROR = re.compile(r"expected an? (\w+), found none")
_ERROR_SAYS = re.compile(r"expected an? (\w+) that says (.+), found (.+)", re.DOTALL)


@dataclass(frozen=True)
class Seen:
    """What is wrong, as lines.

    Attributes:
        told: the sentence; where `lines` tell all, None stands in its place.
        parts: labels, and the lines that stand under each, as numpy or the check wrote them.
    """

    told: Message | None
    parts: tuple[tuple[Message | None, tuple[str, ...]], ...] = ()


def seen(text: str) -> Seen:
    """What a check said when it failed."""
    arrays = _ARRAYS.search(text)
    if arrays:
        got, expected = (_lines(part) for part in arrays.groups())
        parts = ((Message("samples.expected"), expected), (Message("samples.got"), got))
        return Seen(_difference(text), parts)
    if found := _ERROR.fullmatch(text):
        return Seen(Message("samples.no_error", {"type": found[1]}))
    if found := _ERROR_SAYS.fullmatch(text):
        return Seen(Message("samples.other_error", {"type": found[1], "expected": found[2], "found": found[3]}))
    if text.startswith("assert "):
        rule, _, value = text.partition("\n")
        return Seen(Message("samples.does_not_hold"), ((None, _lines(rule)), *(((None, _lines(value)),) * bool(value))))
    return Seen(None, ((None, _lines(text)),))


def _difference(text: str) -> Message:
    """How two arrays differ, from what numpy wrote above them."""
    if found := _SHAPES.search(text):
        return Message("samples.shapes_differ", {"got": found[1], "expected": found[2]})
    if _NAN.search(text):
        return Message("samples.nan_differs")
    count, first = _COUNT.search(text), _FIRST.search(text)
    if count and first:
        fields = {"count": count[1], "place": first[1], "got": first[2], "expected": first[3]}
        return Message("samples.values_differ", fields)
    return Message("samples.count_differs", {"count": count[1]}) if count else Message("samples.arrays_differ")


def _lines(text: str) -> tuple[str, ...]:
    """The lines of a text, without those at its end that are empty, the middle left out where there are many."""
    lines = [each.rstrip() for each in text.strip("\n").split("\n")]
    if len(lines) <= MOST_LINES:
        return tuple(lines)
    half = MOST_LINES // 2
    return (*lines[:half], "…", *lines[-half:])
