"""Puts what an instructor should check about the input into one line for each student and kind of doubt."""

from __future__ import annotations

from collections.abc import Iterable

from grader.model import Language, Message
from grader.report.visible import line, tell

_MERGED = ("by_definition", "several_files", "best_of", "best_found", "magics")  # each has `all_…` and `one_…`


def doubt_lines(doubts: Iterable[Message], language: Language) -> list[str]:
    """The doubts as lines: those of one kind about one student's files share one."""
    groups: dict[tuple[object, ...], list[Message]] = {}
    for place, doubt in enumerate(doubts):
        kind = doubt.key.removeprefix("batch.")
        group = (kind, doubt.fields["student"]) if kind in _MERGED else (place,)
        groups.setdefault(group, []).append(doubt)
    return [_line(group, language) for group in groups.values()]


def _line(doubts: list[Message], language: Language) -> str:
    if len(doubts) == 1:
        return line(tell(doubts[0], language))
    kind = doubts[0].key.removeprefix("batch.")
    parts = (tell(Message(f"batch.one_{kind}", doubt.fields), language) for doubt in doubts)
    head = tell(Message(f"batch.all_{kind}", {"student": doubts[0].fields["student"]}), language)
    return ("" if language == "zh" else " ").join((head, ("；" if language == "zh" else "; ").join(parts)))
