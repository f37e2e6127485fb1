"""Asks a student's code for what was predicted, and holds it against the right answer."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from grader.diagnosis.leaves import Array, Leaf, Numbers, Plain, comparable, elementwise, leaf_distance, short_form
from grader.diagnosis.models import MistakeModels
from grader.diagnosis.observation import TOLERANCE, observation_of
from grader.errors import SubmissionError
from grader.model import Message, Shown
from grader.prediction.choosing import Question, Shape
from grader.sandbox import sentences
from grader.sandbox.client import Subject

State = Literal["same", "other", "not_written", "stopped"]


@dataclass(frozen=True, eq=False)
class Own:
    """What the student's code gives in the asked place.

    Attributes:
        state: same as right code, other, not_written, or stopped: it raised or was ended.
        values: the array there, where it is one.
        text: what it is, where it is no array.
        value: the number that was asked for, where there is one.
        first_wrong: index of the first wrong element, where the shape is right.
        reason: why it stopped.
    """

    state: State
    values: Array | None = None
    text: str = ""
    value: float | None = None
    first_wrong: tuple[int, ...] | None = None
    reason: Message | None = None

    @property
    def shape(self) -> Shape | None:
        return None if self.values is None else tuple(self.values.shape)


def asked_of(subject: Subject, models: MistakeModels, question: Question) -> Own:
    """What a subject gives for the question; never raises for what a submission does."""
    subject.begin_check()
    try:
        seen = observation_of(models.observe, subject, question.probe)
    except SubmissionError as error:  # the file could not be loaded, or its worker is gone
        return Own("stopped", reason=error.message)
    if not seen.asked:
        return Own("not_written")
    if seen.raised is not None:
        return Own("stopped", reason=sentences.raised(seen.raised))
    leaf = seen.leaves.get(question.place) or seen.leaves.get(())
    state: State = "same" if leaf is not None and leaf_distance(leaf, question.right) <= TOLERANCE else "other"
    return _own(state, leaf, question)


def _own(state: State, leaf: Leaf | None, question: Question) -> Own:
    if isinstance(leaf, Plain):
        whole = leaf.kind == "int" and question.shape is None and len(leaf.key) <= 15
        return Own(state, text=leaf.text, value=float(int(leaf.key)) if whole else None)
    if not isinstance(leaf, Numbers):
        return Own(state)
    if question.shape is None or leaf.form == "number":
        return Own(state, text=repr(leaf.values[()].item()) if leaf.form == "number" else short_form(leaf.values))
    values, index = leaf.values, question.index
    there = index is not None and values.shape == question.shape and values.dtype.kind in "iuf"
    value = float(values[index]) if there and index is not None else None
    finite = value is not None and math.isfinite(value)
    return Own(state, values=values, value=value if finite else None, first_wrong=_first_wrong(leaf, question.right))


def _first_wrong(got: Numbers, right: Leaf) -> tuple[int, ...] | None:
    if not isinstance(right, Numbers) or not comparable(got, right):
        return None
    wrong = np.argwhere(~(elementwise(got.values, right.values) <= TOLERANCE))
    return tuple(int(i) for i in wrong[0]) if len(wrong) else None


def shown_values(values: Array, axes: tuple[str, ...]) -> Shown:
    """An array, prepared for display."""
    plain = tuple(each if isinstance(each, bool | int | float) else str(each) for each in values.ravel().tolist())
    return Shown("array", axes=axes, shape=tuple(values.shape), dtype=str(values.dtype), values=plain)
