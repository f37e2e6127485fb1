"""Writes the page about questions: which to rewrite, how each does, which mistakes show in answers and in code.

what the answers say -> ItemsPage, plain strings and numbers -> templates/items.html (autoescaped) -> str
"""

from __future__ import annotations

from typing import NamedTuple

from grader.model import Language, Message
from grader.report.html import style, template
from grader.report.visible import tell


class Bar(NamedTuple):
    """A share with its interval, in percent."""

    share: int
    low: int
    high: int


class GivenLine(NamedTuple):
    """One wrong option: what it says, which mistake it shows, how often it was given."""

    text: str
    mistake: str
    times: int


class ItemLine(NamedTuple):
    """One question; texts are "" where there are too few answers."""

    name: str
    prompt: str
    key: str
    answers: int
    facility: str
    bar: Bar | None
    correlation: str
    time: str
    flags: str
    why: tuple[str, ...]
    given: tuple[GivenLine, ...]
    unexplained: str
    variants: str


class JoinedLine(NamedTuple):
    """One mistake, in questions and in code; `code` and `both` are "" without a gradebook."""

    title: str
    quiz: str
    code: str
    both: str
    where: str


class ItemsPage(NamedTuple):
    """All that the page shows, in one language."""

    language: Language
    told: tuple[str, ...]
    rewritten: tuple[ItemLine, ...]
    items: tuple[ItemLine, ...]
    mistakes: tuple[JoinedLine, ...]
    with_code: bool
    correlation_told: str
    made_at: str

    @property
    def lang(self) -> str:
        return "zh-CN" if self.language == "zh" else "en"

    def say(self, key: str, **fields: str | float) -> str:
        return tell(Message(f"quiz_items.{key}", fields), self.language)

    def say_of_mistakes(self, key: str) -> str:
        """A sentence that speaks of code only where code was looked at."""
        return self.say(key if self.with_code else f"{key}_quiz")


def items_page(page: ItemsPage) -> str:
    """The page as HTML."""
    return template("items.html").render(page=page, style=style("report.css", "class.css", "items.css")) + "\n"
