"""Writes the steps of a calculation as one HTML page: one step at a time with its script, all of them without it.

what a pipeline knows -> StepsPage, plain strings and drawings -> templates/steps.html (autoescaped) -> str

Style and script are ours and allowed by their hashes alone; text of a student meets the same walls as in a report.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from markupsafe import Markup

from grader.model import Language, Message
from grader.report.html import style, template
from grader.report.visible import tell


class PictureView(NamedTuple):
    whose: str
    svg: Markup


class PanelView(NamedTuple):
    """The pictures of one head, or of what all heads share."""

    head: int | None
    name: str
    pictures: tuple[PictureView, ...]


class PartView(NamedTuple):
    name: str
    shape: str
    panels: tuple[PanelView, ...]


class ToldView(NamedTuple):
    """A sentence on whose numbers these are; `kind` is a class of the style sheet."""

    kind: str
    symbol: str
    text: str


class StepView(NamedTuple):
    number: int
    title: str
    arrow: str  # the shape that goes on to the next step
    source: str  # what goes in, with shapes
    result: str  # what comes out
    about: tuple[str, ...]
    told: tuple[ToldView, ...]
    parts: tuple[PartView, ...]


@dataclass(frozen=True)
class StepsPage:
    """Everything on the page."""

    exercise: str
    title: str
    language: Language
    about: tuple[str, ...]
    verdict: str
    to_look_at: int | None  # number of the step that the verdict is about
    heads: tuple[tuple[int, str], ...]
    steps: tuple[StepView, ...]

    @property
    def lang(self) -> str:
        return "zh-CN" if self.language == "zh" else "en"

    def say(self, key: str, **fields: str | int) -> str:
        """A sentence of grader/texts/show.toml."""
        return tell(Message(f"show.{key}", fields), self.language)


def steps_page(page: StepsPage) -> str:
    """The page as HTML that needs nothing else."""
    sheets = style("report.css", "steps.css")
    return template("steps.html").render(page=page, style=sheets, script=style("steps.js")) + "\n"
