"""Texts of a question as markup: its options, its key, what may become of code."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup, escape

from grader.model import Language, Message, Text
from grader.quiz.answers import show_value
from grader.quiz.lock import filled
from grader.quiz.session import Turn
from grader.quiz.shapes import RAISES
from grader.quizpage.prose import code, math, prose
from grader.report.visible import tell


def filled_prose(turn: Turn, text: Text, language: Language) -> Markup:
    return prose(filled(text, turn.variant, language), language)


@dataclass(frozen=True)
class TurnView:
    """What every page says of its question."""

    turn: Turn
    language: Language

    @property
    def kind(self) -> str:
        """How it is answered."""
        return self.turn.item.kind

    @property
    def topic(self) -> str:
        """Title of its topic."""
        return self.turn.item.title.in_language(self.language)

    @property
    def prompt(self) -> Markup:
        """The question."""
        return filled_prose(self.turn, self.turn.item.prompt, self.language)

    @property
    def options(self) -> list[Markup]:
        """Options, steps or right ends, in the order in which they are shown."""
        return options_of(self.turn, self.language)

    @property
    def plain(self) -> list[str]:
        """The same without any markup, for a list that can hold none."""
        return self.turn.texts(self.language)

    @property
    def keys(self) -> list[Markup]:
        """The right answer; several parts where it has them."""
        return keys_of(self.turn, self.language)

    @property
    def explain(self) -> Markup:
        """Why it is right."""
        return filled_prose(self.turn, self.turn.item.explain, self.language)


def options_of(turn: Turn, language: Language) -> list[Markup]:
    """The options, steps or right ends of a question, in the order in which they are shown."""
    return [_value(turn, text, language) for text in turn.texts(language)]


def _value(turn: Turn, text: str, language: Language) -> Markup:
    """A value of a typed question, or a text of one that is picked from."""
    kind = turn.item.kind
    if kind == "formula":
        return math(text)
    if kind == "shape" and text == RAISES:
        return outcome_of("raises", language)
    if kind in {"code", "shape", "vector", "cloze"}:
        return code(text, language)
    return prose(text, language)


def keys_of(turn: Turn, language: Language) -> list[Markup]:
    """The right answer in the one spelling that is shown, a part for each step, pair, option or point."""
    item = turn.item
    if item.offered:
        return [_value(turn, show_value(item.kind, turn.variant.answer, item.tolerance), language)]
    texts = [filled_prose(turn, each, language) for each in item.right]
    if item.kind == "match":
        return [pair(left, filled_prose(turn, end, language)) for left, end in zip(texts, item.ends, strict=True)]
    if item.kind == "predict":
        return [outcome_of(str(turn.variant.answer), language), *texts]
    return texts


def pair(left: Markup, right: Markup) -> Markup:
    return Markup("{} → {}").format(left, right)


def outcome_of(name: str, language: Language) -> Markup:
    said = {"raises": "raises", "wrong": "silently_wrong", "right": "as_it_should"}[name]
    return Markup(escape(tell(Message(f"quiz_page.{said}"), language)))  # noqa: S704 - escaped
