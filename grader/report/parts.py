"""The parts of a page, as plain strings and finished drawings: a check, a failing case, a value, an example."""

from __future__ import annotations

from typing import NamedTuple

from markupsafe import Markup

SHORT = 24  # characters of a value that stands beside its name


class FailureView(NamedTuple):
    case: str
    sentence: str
    where: str  # "concat.py, line 9", "" where no line is to blame
    line: int | None
    code: str
    before: str  # what stands before the column to blame, "" where there is none
    explanation: str
    traceback: tuple[str, ...]


class CheckView(NamedTuple):
    outcome: str  # a class of the style sheet
    symbol: str
    word: str
    rule: str
    points: str
    spoken_points: str
    failures: tuple[FailureView, ...]
    more: int  # failing cases left out
    same_as: str  # rule of the earlier check that failed for the same reason, where that was not told last
    also: int  # later checks that failed for this reason
    start: int  # of its piece of the score bar
    length: int


class ValueView(NamedTuple):
    """A value: drawings of an array, or a text."""

    name: str
    shape: str
    drawings: tuple[tuple[str, Markup], ...]  # where the panel is, and its picture
    text: str

    @property
    def short(self) -> bool:
        """The text has room beside the name."""
        return 0 < len(self.text) <= SHORT


class ExampleView(NamedTuple):
    call: str
    inputs: tuple[ValueView, ...]
    results: tuple[ValueView, ...]
    first_wrong: str
    cut: bool


class FindingView(NamedTuple):
    row: str
    title: str
    one_of: bool  # this mistake or another one
    seen: str
    evidence: str
    example: ExampleView | None
    belief: str
    question: str
    place: str
