"""`grade audit --mine FILES`: the behaviours that no mistake explains, those that were met most often first."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from grader.course import Course
from grader.model import Language, Message
from grader.report.visible import tell
from grader.texts import area

if TYPE_CHECKING:
    from rich.console import Console

    from grader.audit.mining import Group, Mined

MOST_GROUPS = 10  # of an exercise


def print_mined(course: Course, files: Sequence[str], language: Language, console: Console) -> None:
    """Group the signatures of these files and print the largest groups.

    Raises:
        UsageError: a file cannot be read or holds something else.
    """
    from grader.audit.mining import mine  # noqa: PLC0415 - numpy, after what can be said without it

    page = _Page(console, language)
    for found in mine(course, map(Path, files)):
        page.put_exercise(found)


class _Page:
    def __init__(self, console: Console, language: Language) -> None:
        self._console = console
        self._language = language

    def _put(self, indent: int, text: str, style: str = "") -> None:
        self._console.print(" " * indent + text, style=style, markup=False, soft_wrap=True)

    def _say(self, key: str, **fields: str | int) -> str:
        return tell(Message(f"audit.{key}", fields), self._language)

    def put_exercise(self, found: Mined) -> None:
        """How many there are, and the groups."""
        self._put(0, found.exercise, "bold")
        told = self._say("mine_found", signatures=found.signatures - found.outdated, groups=len(found.groups))
        self._put(2, told)
        if found.outdated:
            self._put(2, self._say("mine_outdated", count=found.outdated), "dim")
        for number, group in enumerate(found.groups[:MOST_GROUPS], start=1):
            self._put_group(number, group)

    def _put_group(self, number: int, group: Group) -> None:
        self._put(2, self._say("mine_group", number=number, size=group.size), "bold")
        for symptom in group.symptoms:
            probes = ", ".join(map(str, symptom.probes))
            told = tell(symptom.message, self._language)
            self._put(5, self._say("mine_symptom", symptom=told, probes=probes))
        if group.call:
            self._put(5, self._say("mine_first", call=group.call, first=group.first or "-"))
        else:
            self._put(5, self._say("mine_fresh"))
        name = group.located.removeprefix("located.")
        if name in area("located"):
            self._put(5, self._say("mine_located", sentence=name))
