"""Writes the report on a class as one HTML page: no script, no picture, no font, no network, as a student's page.

what a gradebook counts -> ClassPage, plain strings and numbers -> templates/class.html (autoescaped) -> str
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from markupsafe import Markup

from grader.model import Language, Message
from grader.report.html import style, template
from grader.report.svg import TEXT, described
from grader.report.visible import line, tell

WIDTH, HEIGHT, TOP, BOTTOM = 660, 200, 28, 54  # px, of a distribution
STEPS = 10  # of a distribution, below full points, which have a column of their own
MOST_OPEN = 15  # lines of a list that is not folded away
MOST_ROWS = 250  # of the table of everybody, in one piece
MOST_MISTAKES = 12  # that are not folded away
UNREADABLE = "!"  # a sign in a narrow column

_PART = re.compile(r"[^_.@-]*[_.@-]+|[^_.@-]+")  # of a name, with what it ends with
_RECT = Markup('<rect class="{}" x="{}" y="{}" width="{}" height="{}"/>')


class Linked(NamedTuple):
    """A text, where it leads, and a sign that is seen in its place, each "" where there is none."""

    text: str
    href: str = ""
    sign: str = ""


@dataclass(frozen=True)
class Share:
    """How many of how many."""

    count: int
    of: int

    @property
    def percent(self) -> int:
        return round(100 * self.count / self.of) if self.of else 0


class CheckLine(NamedTuple):
    rule: str
    share: Share


class ExercisePart(NamedTuple):
    """One exercise.

    Attributes:
        attempts: submissions that are graded and were begun.
        shares: points of each graded submission, from 0 to 1.
    """

    name: str
    title: str
    graded: int
    attempts: int
    full: Share
    median: str
    shares: tuple[float, ...]
    checks: tuple[CheckLine, ...]


class MistakeLine(NamedTuple):
    """How often a mistake, or a row of the lesson, was detected.

    Attributes:
        share: students for whom it is certain, of those who attempted an exercise in which it can be named.
        possible: further students, who made this mistake or another one.
        exercises: in which somebody made it, "" where that is not told.
        can_occur: whether there is such an exercise.
    """

    row: str
    title: str
    share: Share
    possible: int
    exercises: str
    can_occur: bool = True


class Pair(NamedTuple):
    """Two mistakes of the same students; the share is of those who made the rarer one."""

    one: str
    other: str
    share: Share


class Discussed(NamedTuple):
    """Something to talk about in class."""

    title: str
    told: str
    question: str
    belief: str
    examples: tuple[Linked, ...]


class Look(NamedTuple):
    """Submissions that need a person for one reason."""

    reason: str  # ends "class.why_…"
    rows: tuple[tuple[Linked, str], ...]  # who, and what is known

    @property
    def open(self) -> bool:
        return len(self.rows) <= MOST_OPEN


class StudentLine(NamedTuple):
    student: str
    name: str
    total: str
    cells: tuple[Linked, ...]  # one for each column


class ClassPage(NamedTuple):
    """All that the page shows, in one language."""

    language: Language
    made_at: str
    whole: str  # the most that a total can be
    students: int
    graded: int
    shares: tuple[float, ...]  # of each student's total, from 0 to 1
    median: str
    exercises: tuple[ExercisePart, ...]
    lesson: tuple[MistakeLine, ...]
    mistakes: tuple[MistakeLine, ...]
    pairs: tuple[Pair, ...]
    discussed: tuple[Discussed, ...]
    looks: tuple[Look, ...]
    columns: tuple[str, ...]
    lines: tuple[StudentLine, ...]
    notes: tuple[str, ...] = ()
    weights: tuple[str, ...] = ()  # of the exercises, "" where one counts once

    @property
    def lang(self) -> str:
        return "zh-CN" if self.language == "zh" else "en"

    @property
    def to_look_at(self) -> int:
        return sum(len(look.rows) for look in self.looks)

    @property
    def pieces(self) -> list[tuple[StudentLine, ...]]:
        """The table of everybody, in pieces that are opened one by one."""
        return [self.lines[start : start + MOST_ROWS] for start in range(0, len(self.lines), MOST_ROWS)]

    @property
    def frequent(self) -> tuple[MistakeLine, ...]:
        return self.mistakes[:MOST_MISTAKES]

    @property
    def rare(self) -> tuple[MistakeLine, ...]:
        return self.mistakes[MOST_MISTAKES:]

    @property
    def several(self) -> bool:
        return len(self.exercises) > 1

    @property
    def signs(self) -> tuple[Linked, ...]:
        """The signs in the table of everybody, each once, with what they mean."""
        return tuple(dict.fromkeys(cell for each in self.lines for cell in each.cells if cell.sign))

    @property
    def named(self) -> bool:
        """Whether a class list gave names."""
        return any(one.name for one in self.lines)

    def say(self, key: str, **fields: str | float) -> str:
        return tell(Message(f"class.{key}", fields), self.language)

    @property
    def comma(self) -> str:
        """What stands between the parts of a list."""
        return "、" if self.language == "zh" else ", "

    def sentences(self, *told: str) -> str:
        """Sentences one after the other; in Chinese no space stands between them."""
        return ("" if self.language == "zh" else " ").join(filter(None, told))

    def of(self, share: Share) -> str:
        """A share in words: count, of how many, percent."""
        return self.say("share", count=share.count, of=share.of, percent=share.percent)

    def parts(self, name: str) -> Markup:
        """A name that a narrow column breaks after an underscore or the like, not in the middle of a word."""
        return Markup("<wbr>").join(_PART.findall(name))

    def row_title(self, row: str) -> str:
        """What the number of a lesson's row stands for, "" where there is no such row."""
        return next((each.title.replace("`", "") for each in self.lesson if each.row == row), "")

    def weight(self, place: int) -> str:
        """How often an exercise counts in a total, "" where it is once."""
        return self.weights[place] if place < len(self.weights) else ""

    def column_told(self, place: int) -> str:
        """What the number above a column stands for: the exercise's name, and its title."""
        exercise = self.exercises[place]
        return self.say("column_told", name=exercise.name, title=exercise.title.replace("`", ""))

    def distribution(self, name: str, title: str, shares: Sequence[float]) -> Markup:
        """How many got which share of the points."""
        counts = binned(shares)
        spans = [*(f"{100 * step // STEPS}–{100 * (step + 1) // STEPS - 1}" for step in range(STEPS)), "100"]
        told = self.comma.join(f"{span}%: {count}" for span, count in zip(spans, counts, strict=True) if count)
        return described(
            Markup("").join(_columns(counts)) + TEXT.format("axis end", WIDTH, HEIGHT - 9, self.say("axis")),
            kind="spread",
            name=name,
            title=line(title, 120),
            description=self.say("spread_told", told=told or "-"),
            size=(WIDTH, HEIGHT),
        )


def class_page(page: ClassPage) -> str:
    """The page as HTML."""
    return template("class.html").render(page=page, style=style("report.css", "class.css")) + "\n"


def binned(shares: Sequence[float]) -> list[int]:
    """Counts of shares by tenths, and of full points in the last place."""
    counts = [0] * (STEPS + 1)
    for share in shares:
        counts[STEPS if share >= 1 else max(0, int(share * STEPS + 1e-9))] += 1
    return counts


def _columns(counts: Sequence[int]) -> list[Markup]:
    """Columns with their counts above; the numbers below stand between them, where one tenth ends."""
    parts, most, step = [], max(*counts, 1), WIDTH / len(counts)
    base = HEIGHT - BOTTOM
    for place, count in enumerate(counts):
        last = place == STEPS
        height = round((base - TOP) * count / most, 1)
        left, middle = round(place * step + 4, 1), round((place + 0.5) * step, 1)
        parts.append(_RECT.format("full" if last else "some", left, base - height, round(step - 8, 1), height))
        if count:
            parts.append(TEXT.format("mid count", middle, base - height - 12, count))
        parts.append(TEXT.format("mid label", middle if last else left + 4, base + 15, 100 * place // STEPS))
    return [*parts, _RECT.format("floor", 0, base, WIDTH, 1)]
