"""Freezes what lines of Python have to give: each line of a question is run on the author's machine, for each case.

A wrong line whose mistake the exercise has a model of has to do what that model does: quiz and code diagnosis agree.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from grader.errors import ContentError
from grader.quiz.bank import Question
from grader.quiz.drawing import Draw, ModelOf, execute
from grader.quiz.folding import UnreadableError
from grader.quiz.lines import freeze, read_line, same_value


def cases_of(question: Question, draw: Draw, model_of: ModelOf) -> tuple[Mapping[str, Any], ...]:
    """The inputs of every case, what the right line leaves and what each wrong one does.

    Raises:
        ContentError: the right line is not what the exercise's own code gives, or a wrong one not what its model gives.
    """
    return tuple(_case(question, code, draw, model_of) for code in question.cases)


def _case(question: Question, code: str, draw: Draw, model_of: ModelOf) -> Mapping[str, Any]:
    answer = question.right[0]
    right = _outcome_of_line(question, answer.line or "", _given(question, code, draw))
    wanted = _outcome_of_model(question, code, draw, model_of(question.exercise, ""))
    if wanted is None or not same_value(right, wanted):
        raise question.error("answer.line", f"{_brief(right)}, not {_brief(wanted)}", "mend the line or `run`")
    wrong = []
    for option in question.wrong:
        came_out = _outcome_of_line(question, option.line or "", _given(question, code, draw))
        model = model_of(question.exercise, option.mistake) if "code." in (answer.run or "") else None
        modelled = _outcome_of_model(question, code, draw, model)
        if modelled is not None and not same_value(came_out, modelled):
            found = f"{_brief(came_out)} of {option.line!r}, but {_brief(modelled)} of the model of {option.mistake}"
            raise question.error("wrong.line", found, "write the line as the model has it, or name another mistake")
        wrong.append(came_out)
    given = {name: freeze(value) for name, value in _given(question, code, draw).items()}
    return {"given": given, "right": right, "wrong": wrong}


def _given(question: Question, code: str, draw: Draw) -> dict[str, Any]:
    """The names that a case sets, in the order in which it sets them."""
    place: dict[str, Any] = {"np": np, "math": math, **draw.names}
    before = set(place) | {"__builtins__"}
    try:
        exec(code, place)  # noqa: S102 - the course's own code, as its suites are
    except Exception as error:
        raise question.error("cases", f"{type(error).__name__}: {error} in {code!r}", "mend the code") from error
    return {name: value for name, value in place.items() if name not in before}


def _outcome_of_line(question: Question, line: str, given: Mapping[str, Any]) -> Any:
    try:
        source = read_line(line, tuple(given))[1]
    except UnreadableError as problem:
        raise question.error("line", f"{line!r} ({problem})", "write one expression or assignment") from None
    place: dict[str, Any] = {}
    exec(source, place)  # noqa: S102 - the course's own code, as its suites are
    return _frozen_outcome(lambda: place["answer"](**given))


def _outcome_of_model(question: Question, code: str, draw: Draw, model: Any) -> Any:
    """What the question's `run` gives with these functions; None where the exercise has no such model."""
    run = question.right[0].run or ""
    if model is None:
        return None
    names = {**draw.names, **_given(question, code, draw), "code": model}
    try:
        return freeze(execute(question, run, names))
    except ContentError as error:
        return {"raises": type(error.__cause__).__name__}


def _frozen_outcome(call: Any) -> Any:
    try:
        return freeze(call())
    except Exception as error:  # noqa: BLE001 - a wrong line may raise anything
        return {"raises": type(error).__name__}


def _brief(value: Any) -> str:
    return repr(value)[:120]
