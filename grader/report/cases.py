"""Says in words which input a failing case of a check had: `h=3, kind=view` becomes h = 3, numbers out of order."""

from __future__ import annotations

import re

from grader.model import Language, Message
from grader.report.visible import line, tell
from grader.texts import area

LONGEST = 100  # characters of one case

_NEXT = re.compile(r", (?=\w+=)")  # a value may hold commas of its own
_JOINT: dict[Language, str] = {"en": ", ", "zh": "，"}


def case_words(case: str, language: Language) -> str:
    """The parameters of a case: sizes by name, and what kind of numbers they were; "" for a check of one case."""
    parts = [_part(part, language) for part in _NEXT.split(case)]
    return line(_JOINT[language].join(parts), LONGEST)


def _part(part: str, language: Language) -> str:
    """One parameter; what those of the names `kind` and `function` say needs no name."""
    name, _, value = part.partition("=")
    known = re.sub(r"\W+", "_", f"{name}_{value}").strip("_").lower()
    words = tell(Message(f"cases.{known}"), language) if known in area("cases") else ""
    if name in ("kind", "function"):
        return words or value
    if not value or value.startswith(f"{name}="):
        return words or value or name
    return words or f"{name} = {value}"
