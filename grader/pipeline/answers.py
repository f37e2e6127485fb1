"""Looks at what a student's function gives for one step: an array that can be passed on, or why it cannot."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, NoReturn

from grader.diagnosis.leaves import Numbers, leaf_of, short_form
from grader.errors import SubmissionError
from grader.model import Message
from grader.pipeline.arithmetic import Array
from grader.pipeline.steps import State
from grader.sandbox.client import MissingName, Raised, Subject

MOST_SHOWN = 512  # numbers of an array of another shape
MOST_AXES = 3
UNUSABLE = (TypeError, ValueError, AttributeError, LookupError, ArithmeticError)


class Answer(NamedTuple):
    """What came back for one array.

    Attributes:
        shown: the array, where there is one to look at.
        trouble: why it cannot be passed on to the next step.
    """

    state: State
    shown: Array | None = None
    trouble: Message | None = None

    @property
    def fits(self) -> bool:
        return self.shown is not None and self.trouble is None


class Unread(Subject):
    """A student's file that is there and cannot be read: whatever is asked of it, that is the answer."""

    def __init__(self, error: SubmissionError) -> None:
        super().__init__()
        self._error = error

    def _exchange(self, payload: bytes) -> NoReturn:  # noqa: ARG002 - there is nobody to send it to
        raise self._error


def answer_of(ask: Callable[[], object], like: Array) -> Answer:
    """The answer of a student's function, held to the type and shape of `like`."""
    try:
        return looked_at(ask(), like)
    except SubmissionError as error:
        state = state_of(error)
        return Answer(state, trouble=error.message if state == "failed" else None)
    except UNUSABLE:  # the author's function took apart an answer of another form
        return Answer("wrong", trouble=Message("show.no_array", {"got": "?", "expected": str(like.shape)}))


def looked_at(value: object, like: Array) -> Answer:
    leaf = leaf_of(value) if not isinstance(value, list | tuple | dict) else None
    if not isinstance(leaf, Numbers) or leaf.form == "number" or leaf.values.dtype.kind == "c":
        fields = {"got": short_form(value), "expected": str(like.shape)}
        return Answer("wrong", trouble=Message("show.no_array", fields))
    if leaf.values.shape != like.shape:
        fields = {"got": str(leaf.values.shape), "expected": str(like.shape)}
        shown = leaf.values if 0 < leaf.values.size <= MOST_SHOWN and 1 <= leaf.values.ndim <= MOST_AXES else None
        return Answer("wrong", shown, Message("show.wrong_shape", fields))
    if (leaf.values.dtype.kind == "b") != (like.dtype.kind == "b"):
        fields = {"got": leaf.dtype or str(leaf.values.dtype), "expected": str(like.dtype)}
        return Answer("wrong", leaf.values, Message("show.wrong_dtype", fields))
    return Answer("right", leaf.values)


def state_of(error: SubmissionError) -> State:
    unwritten = isinstance(error, MissingName) or (isinstance(error, Raised) and error.not_written)
    return "not_written" if unwritten else "failed"
