"""Says what a prediction was worth, as a quiz answer: right, or wrong and which mistake gives just that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from grader.model import Message
from grader.prediction.choosing import Question
from grader.quiz.answers import mark
from grader.quiz.asked import Asked, Outcome, Value

Kind = Literal["shape", "value"]


@dataclass(frozen=True)
class Prediction:
    """One answer.

    Attributes:
        understood: what was read.
        outcome: right or wrong; retype and unclear where it could not be read, which costs nothing.
        mistakes: slugs of those that give just this, none where no known one does.
        message: why it could not be read, or what can be said of it.
    """

    kind: Kind
    outcome: Outcome
    understood: str = ""
    mistakes: tuple[str, ...] = ()
    message: Message | None = None

    @property
    def counts(self) -> bool:
        """It could be read."""
        return self.outcome in (Outcome.RIGHT, Outcome.WRONG)


def kinds(question: Question) -> tuple[Kind, ...]:
    """What is asked, in order."""
    shape: tuple[Kind, ...] = () if question.shape is None else ("shape",)
    return (*shape, "value") if question.value is not None else shape


def asks_about(question: Question) -> Fraction:
    """How far a number may be off: not at all where all that can come out are whole numbers."""
    numbers = [question.value or 0.0, *question.values.values()]
    return Fraction(0) if all(number == round(number) for number in numbers) else Fraction(1, 100)


def predicted(question: Question, kind: Kind, text: str) -> Prediction:
    """The verdict on what was typed."""
    return _marked(kind, *(_shape(question) if kind == "shape" else _value(question)), text)


def all_right(question: Question, predictions: Sequence[Prediction]) -> bool:
    """Whether everything was predicted, and rightly."""
    right = [prediction for prediction in predictions if prediction.outcome is Outcome.RIGHT]
    return len(right) == len(kinds(question))


def _marked(kind: Kind, asked: Asked, slugs: list[tuple[str, ...]], text: str) -> Prediction:
    marked = mark(asked, text)
    mistakes = () if marked.option is None else slugs[marked.option]
    return Prediction(kind, marked.outcome, marked.understood, mistakes, marked.message)


def _shape(question: Question) -> tuple[Asked, list[tuple[str, ...]]]:
    assert question.shape is not None  # noqa: S101 - it is asked only where there is one
    wrong = _grouped({slug: shape for slug, shape in question.shapes.items() if shape != ()})
    asked = Asked("shape", question.shape, tuple(wrong), sizes=question.sizes)
    return asked, list(wrong.values())


def _value(question: Question) -> tuple[Asked, list[tuple[str, ...]]]:
    assert question.value is not None  # noqa: S101
    right, tolerance = Fraction(question.value), asks_about(question)
    values = {slug: Fraction(value) for slug, value in question.values.items()}
    wrong = _grouped({slug: value for slug, value in values.items() if abs(value - right) > tolerance})
    asked = Asked("number", right, tuple(wrong), tolerance=tolerance)
    return asked, list(wrong.values())


def _grouped(given: Mapping[str, Value]) -> dict[Value, tuple[str, ...]]:
    """The mistakes that give each value, in their order."""
    groups: dict[Value, tuple[str, ...]] = {}
    for slug, value in given.items():
        groups[value] = (*groups.get(value, ()), slug)
    return groups
