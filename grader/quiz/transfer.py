"""The log as JSON lines, for another machine or another person: a heading, then one entry a line, in order.

Logs are merged by taking every entry of both: in whichever order, however often, the result is the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, fields
from typing import Any

from grader.errors import UsageError
from grader.model import Message
from grader.quiz.events import Event, check

FORMAT = 1
MOST_LINE = 100_000  # characters; an answer is far shorter
_TYPES = {field.name: int if field.type == "int" else str for field in fields(Event)}


def written(events: Sequence[Event]) -> str:
    """The entries as text."""
    heading = {"manyheads": "quiz log", "format": FORMAT}
    return "".join(json.dumps(tree, ensure_ascii=False) + "\n" for tree in (heading, *map(asdict, events)))


def read(lines: Iterable[str], name: str) -> list[Event]:
    """The entries of a text that `written` made.

    Args:
        name: of the file, for what is said about it.

    Raises:
        UsageError: a line is none of them, or a newer version wrote the file; names file and line.
    """
    events, heading = [], False
    for number, line in enumerate(lines, start=1):
        where: dict[str, str | int | float] = {"path": name, "line": number}
        try:
            tree = json.loads(line) if len(line) <= MOST_LINE else None
            if not heading:
                heading = _heading(tree, name)
            else:
                events.append(event_of(tree))
        except (ValueError, TypeError, RecursionError) as error:
            raise UsageError(Message("schedule.bad_line", where)) from error
    if not heading:
        raise UsageError(Message("schedule.bad_line", {"path": name, "line": 1}))
    return events


def _heading(tree: Any, name: str) -> bool:
    if not isinstance(tree, dict) or tree.get("manyheads") != "quiz log" or not isinstance(tree.get("format"), int):
        raise ValueError(tree)
    if tree["format"] > FORMAT:
        raise UsageError(Message("quiz.log_newer", {"path": name, "version": tree["format"], "known": FORMAT}))
    return True


def event_of(tree: Any) -> Event:
    """One entry of somebody's; raises ValueError or TypeError where it is none."""
    if not isinstance(tree, dict) or tree.keys() != _TYPES.keys():
        raise ValueError(tree)
    for field, kind in _TYPES.items():
        if type(tree[field]) is not kind:
            raise ValueError(field)
    return check(Event(**tree))
