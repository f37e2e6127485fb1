"""Runs the code of a question on the author's machine: draws its numbers, computes its key and every wrong option.

    id, version, n --sha256--> seed --params, require--> a draw --run--> key and wrong options

Only the table of params feeds the generator: a new text or another order of files changes no number.
"""

from __future__ import annotations

import hashlib
import math
import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from types import CodeType
from typing import Any

from grader.errors import ContentError
from grader.quiz.asked import Kind, Value
from grader.quiz.bank import Option, Question

MOST_VARIANTS, LEAST_VARIANTS = 48, 24
_TRIES = 4000
REFUSALS = (ValueError, RuntimeError, AssertionError)  # how numpy and torch refuse what a wrong option claims
_PLACES = 6  # of a real-valued key; every tolerance is much wider

Names = Mapping[str, int]
ModelOf = Callable[[str, str], Any]
"""Exercise, slug ("" for right code) -> namespace with the functions of the exercise, None where it has no model."""


@dataclass(frozen=True)
class Draw:
    """The numbers of one variant."""

    id: str
    names: Names


def draws(question: Question) -> list[Draw]:
    """The legal draws of a template, at most MOST_VARIANTS; one without any numbers for a plain question.

    Raises:
        ContentError: there are fewer than LEAST_VARIANTS, or `require` cannot be computed.
    """
    if not question.params:
        return [Draw(_name(question, 0), {})]
    found: dict[tuple[int, ...], Draw] = {}
    for n in range(_TRIES):
        names = _drawn(question, n)
        if len(found) == MOST_VARIANTS:
            break
        if tuple(names.values()) not in found and all(_evaluate(question, rule, names) for rule in question.require):
            found[tuple(names.values())] = Draw(_name(question, n), names)
    if len(found) < LEAST_VARIANTS:
        raise question.error("params", f"{len(found)} legal draws", f"allow at least {LEAST_VARIANTS}")
    return list(found.values())


def _digest(question: Question, n: int) -> bytes:
    return hashlib.sha256(f"{question.id}\n{question.version}\n{n}".encode()).digest()


def _name(question: Question, n: int) -> str:
    return _digest(question, n).hex()[:10]


def _drawn(question: Question, n: int) -> dict[str, int]:
    source = random.Random(int.from_bytes(_digest(question, n)))  # noqa: S311 - no secret
    names: dict[str, int] = {}
    for name, param in question.params.items():
        if param.expr is not None:
            names[name] = int(_evaluate(question, param.expr, names))
        elif param.choices:
            names[name] = source.choice(param.choices)
        else:
            names[name] = source.randint(param.least, param.most)
    return names


# --- code of the author --------------------------------------------------------------------------------------------


@cache
def _compiled(code: str, mode: str) -> CodeType:
    return compile(code, "<bank>", mode)


def _surroundings(code: str) -> dict[str, Any]:
    """What every code may use: numpy always, torch where it is named."""
    import numpy as np  # noqa: PLC0415 - only an author's machine needs it here

    names: dict[str, Any] = {"np": np, "math": math, "Fraction": Fraction}
    if any(word in code for word in ("torch", "nn.", "F.")):
        import torch  # noqa: PLC0415
        import torch.nn.functional as F  # noqa: N812, PLC0415
        from torch import nn  # noqa: PLC0415

        torch.manual_seed(0)
        names |= {"torch": torch, "nn": nn, "F": F}
    return names


def _evaluate(question: Question, code: str, names: Mapping[str, Any]) -> Any:
    """Value of an expression of the author."""
    try:
        return eval(_compiled(code, "eval"), {**_surroundings(code), **names})  # noqa: S307 - the course's own code
    except Exception as error:
        raise question.error(code, f"{type(error).__name__}: {error}", "mend the expression") from error


def execute(question: Question, code: str, names: Mapping[str, Any], *, field: str = "run") -> Any:
    """What the code leaves in `ans`, or the value of an expression.

    Raises:
        ContentError: it raises, or leaves nothing; names the field.
    """
    place = {**_surroundings(code), **names}
    try:
        if not re.search(r"\bans\s*=", code) and "for ans in" not in code:
            return eval(_compiled(code.strip(), "eval"), place)  # noqa: S307 - the course's own code
        exec(_compiled(code, "exec"), place)  # noqa: S102 - the course's own code, as its suites are
        return place["ans"]
    except Exception as error:
        raise question.error(field, f"{type(error).__name__}: {error} in {code.strip()!r}", "mend the code") from error


def holds(
    question: Question, code: str, names: Mapping[str, Any], refuted_by: tuple[type[Exception], ...] = ()
) -> bool:
    """Whether a claim is true.

    Args:
        refuted_by: exceptions that show it to be false; any other one shows only that its code is broken.

    Raises:
        ContentError: its code raises something else, or leaves several truths.
    """
    try:
        value = execute(question, code, names, field="holds")
    except ContentError as error:
        if isinstance(error.__cause__, refuted_by):
            return False
        raise
    try:
        return bool(value)
    except (ValueError, RuntimeError) as error:
        raise question.error("holds", f"{error} in {code.strip()!r}", "leave True or False") from error


def raised_by(question: Question, code: str, names: Mapping[str, Any]) -> str | None:
    """What the code raises, as the last line of a traceback; None where it raises nothing."""
    try:
        execute(question, code, names)
    except ContentError as error:
        cause = error.__cause__
        return f"{type(cause).__name__}: {str(cause).splitlines()[0].strip()}" if str(cause) else type(cause).__name__
    return None


# --- values --------------------------------------------------------------------------------------------------------


def value_of(question: Question, option: Option, draw: Draw, model_of: ModelOf) -> Value:
    """The value of a right or wrong option: of its text, its code, or the key's code on the mistake's model."""
    if option.text is not None:
        return option.text.en
    if option.words:
        return option.words
    code = option.run or question.right[0].run
    if code is None:
        raise question.error("wrong.run", f"none for {option.mistake}", "write it; the answer has no code to share")
    names: dict[str, Any] = dict(draw.names)
    if "code." in code:
        names["code"] = model_of(question.exercise, "" if option.run and not option.mistake else option.mistake)
        if names["code"] is None:
            raise question.error("wrong.run", f"none for {option.mistake}", "write it; the exercise has no such model")
    elif option.run is None:
        raise question.error("wrong.run", f"none for {option.mistake}", "write it, or let the key's code call `code.…`")
    value = _normal(question, execute(question, code, names))
    if option.mistake and option.run is not None:
        _check_model(question, option, draw, model_of, value)
    return value


def _check_model(question: Question, option: Option, draw: Draw, model_of: ModelOf, value: Value) -> None:
    """Where the key is what code gives, a wrong option is what the model of its mistake gives, if that gives anything.

    Raises:
        ContentError: quiz and code diagnosis would give one name to two answers.
    """
    key = question.right[0].run or ""
    model = (
        model_of(question.exercise, option.mistake) if "code." in key and "code." not in (option.run or "") else None
    )
    if model is None:
        return
    try:
        modelled = _normal(question, execute(question, key, {**draw.names, "code": model}))
    except ContentError:
        return  # the model raises for these sizes: the option says what is believed to come out
    if modelled != value:
        found = f"{value} for {option.mistake}, but its model gives {modelled} ({dict(draw.names)})"
        raise question.error("wrong.run", found, "leave `run` out, or name another mistake")


def _normal(question: Question, value: Any) -> Value:
    try:
        return _NORMAL[question.kind](value)
    except (TypeError, ValueError, OverflowError):
        raise question.error("run", repr(value), f"leave a value of type {question.kind} in `ans`") from None


def _shape(value: Any) -> Value:
    return value if isinstance(value, str) else tuple(int(each) for each in value)


def _number(value: Any) -> Value:
    if isinstance(value, Fraction):
        return value
    return Fraction(int(value)) if float(value).is_integer() else Fraction(str(round(float(value), _PLACES)))


def _vector(value: Any) -> Value:
    return tuple(Fraction(str(round(float(each), _PLACES))) for each in value)


_NORMAL: Mapping[Kind, Callable[[Any], Value]] = {
    "shape": _shape,
    "number": _number,
    "vector": _vector,
    "formula": str,
}


def texts_of(question: Question, holes: Iterator[str], names: Mapping[str, Any]) -> dict[str, str]:
    """What stands in place of each {{…}} of the question's texts."""
    return {hole: str(_evaluate(question, hole, names)) for hole in holes}
