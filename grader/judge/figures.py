r"""Asks a submission and the reference for the numbers of an exercise's figures.

    figures.py of the exercise --ask--> reference   -> expected; anything wrong here is the author's
                               \-ask--> submission  -> actual, or why there is nothing to draw

Nothing here gives or takes a point. All figures of a submission share the time of one check.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property
from typing import Any

from grader.course import load_module
from grader.diagnosis.leaves import Numbers, leaf_of, short_form
from grader.errors import ContentError, SubmissionError
from grader.model import Drawn, Exercise, Figure, LineFigure, MapFigure, Message
from grader.sandbox.client import LoadFailed, LocalSubject, MissingName, Raised, Stopped, Subject

Ask = Callable[..., object]
Values = tuple[float, ...]

MOST_MAPS = 12


class _NothingToDraw(Exception):
    """The answer holds no numbers for this figure."""

    def __init__(self, message: Message) -> None:
        super().__init__(message.key)
        self.message = message


class Figures:
    """The figures of one exercise, with what the reference gives for them."""

    def __init__(self, exercise: Exercise) -> None:
        self._figures = exercise.figures
        self._reference = exercise.reference
        self._path = exercise.solution / "figures.py"

    def drawn(self, subject: Subject) -> tuple[Drawn, ...]:
        """What each figure shows of a submission; one that asks only for what is not written yet is left out.

        Args:
            subject: the submission, or trusted code in its place.

        Raises:
            ContentError: `figures.py` lacks a function, or the reference gives nothing that can be drawn.
        """
        expected = self._expected
        subject.begin_check()
        made = []
        for figure, wanted in zip(self._figures, expected, strict=True):
            asked = _Asked(self._asking, subject)
            one = asked.maps(figure, wanted) if isinstance(figure, MapFigure) else asked.lines(figure, wanted)
            made += [one] if one is not None else []
            if asked.lost:
                break
        return tuple(made)

    @cached_property
    def _functions(self) -> dict[str, Any]:
        return vars(load_module(self._path))

    def _asking(self, name: str) -> Ask:
        ask = self._functions.get(name)
        if not callable(ask):
            raise self._error(name, "no such function", "write it, or mend [[figure]] of exercise.toml")
        return ask  # type: ignore[no-any-return]

    @cached_property
    def _expected(self) -> tuple[tuple[Values, ...], ...]:
        reference = LocalSubject(load_module(self._reference))
        return tuple(self._of_reference(figure, reference) for figure in self._figures)

    def _of_reference(self, figure: Figure, reference: Subject) -> tuple[Values, ...]:
        names = [figure.ask] if isinstance(figure, MapFigure) else [line.ask for line in figure.lines]
        asks = [self._asking(name) for name in names]
        try:
            if isinstance(figure, MapFigure):
                found = _maps_of_reference(asks[0](reference), figure)
            else:
                found = tuple(tuple(_number_of(ask(reference, x)) for x in figure.x) for ask in asks)
        except Exception as error:
            told = f"{type(error).__name__} on the reference: {error}"
            raise self._error(", ".join(names), told, "let it give what exercise.toml declares") from error
        if not all(math.isfinite(value) for values in found for value in values):
            raise self._error(", ".join(names), "NaN or infinity on the reference", "give finite numbers")
        return found

    def _error(self, field: str, found: str, fix: str) -> ContentError:
        return ContentError(f"{self._path}: {field}: found {found}; {fix}.")


class _Asked:
    """One figure, asked of one submission."""

    def __init__(self, asking: Callable[[str], Ask], subject: Subject) -> None:
        self._asking = asking
        self._subject = subject
        self._unwritten = 0  # questions to what is not there yet
        self._questions = 0
        self.lost = False  # the worker, or the time

    def maps(self, figure: MapFigure, expected: tuple[Values, ...]) -> Drawn | None:
        shape = (len(expected), len(figure.queries), len(figure.keys))
        try:
            answer = self._answer(figure.ask)
            return Drawn(figure, expected, _maps_of(answer, shape, one=len(expected) == 1))
        except _NothingToDraw as nothing:
            troubles = ((0, nothing.message),)
            return None if self._unwritten == self._questions else Drawn(figure, expected, (), troubles)

    def lines(self, figure: LineFigure, expected: tuple[Values, ...]) -> Drawn | None:
        actual, troubles = [], []
        for place, line in enumerate(figure.lines):
            values: list[float | None] = []
            told: dict[str, Message] = {}
            for x in figure.x:
                try:
                    values.append(_number_of(self._answer(line.ask, x)))
                except _NothingToDraw as nothing:
                    values.append(None)
                    told.setdefault(nothing.message.key, nothing.message)
            actual.append(tuple(values))
            troubles += [(place, message) for message in told.values()]
        if self._unwritten == self._questions:
            return None
        return Drawn(figure, expected, tuple(actual), tuple(troubles))

    def _answer(self, name: str, *x: float) -> object:
        """What the author's function makes of the submission; raises _NothingToDraw where it makes nothing."""
        if self.lost:
            raise _NothingToDraw(Message("figure.not_asked"))
        self._questions += 1
        ask = self._asking(name)
        try:
            return ask(self._subject, *x)
        except SubmissionError as error:
            self._unwritten += isinstance(error, MissingName) or (isinstance(error, Raised) and error.not_written)
            self.lost = isinstance(error, Stopped | LoadFailed)
            raise _NothingToDraw(error.message) from error
        except (TypeError, ValueError, AttributeError, LookupError, ArithmeticError) as error:
            # the author's function took apart an answer of another form, such as unpacking None
            raise _NothingToDraw(Message("figure.other_form")) from error


# --- numbers of an answer -----------------------------------------------------------------------------------------


def _maps_of(answer: object, shape: tuple[int, int, int], *, one: bool) -> tuple[Values, ...]:
    """An array (h, L, S), or (L, S) for one map, as a tuple of numbers for each map."""
    leaf = leaf_of(answer)
    wanted = str(shape[1:] if one else shape)
    if not isinstance(leaf, Numbers) or leaf.form == "number" or leaf.values.dtype.kind == "c":
        raise _NothingToDraw(Message("figure.no_array", {"got": short_form(answer), "expected": wanted}))
    if leaf.values.shape not in ({shape, shape[1:]} if one else {shape}):
        got = str(leaf.values.shape)
        raise _NothingToDraw(Message("figure.wrong_shape", {"got": got, "expected": wanted}))
    flat = leaf.values.reshape(shape[0], -1)
    return tuple(tuple(map(float, row)) for row in flat.tolist())


def _maps_of_reference(answer: object, figure: MapFigure) -> tuple[Values, ...]:
    leaf = leaf_of(answer)
    heads = leaf.values.shape[0] if isinstance(leaf, Numbers) and leaf.values.ndim == 3 else 1
    return _maps_of(answer, (min(heads, MOST_MAPS), len(figure.queries), len(figure.keys)), one=heads == 1)


def _number_of(answer: object) -> float:
    """One number, of an array or a tensor too where it holds one only."""
    if type(answer) in (int, bool):
        return _real(answer)
    leaf = leaf_of(answer)
    if not isinstance(leaf, Numbers) or leaf.values.size != 1 or leaf.values.dtype.kind == "c":
        raise _NothingToDraw(Message("figure.no_number", {"got": short_form(answer)}))
    return float(leaf.values.reshape(-1)[0])


def _real(whole: Any) -> float:
    try:
        return float(whole)
    except OverflowError:
        return math.copysign(math.inf, whole)
