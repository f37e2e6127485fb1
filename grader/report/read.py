"""Reads a report that was written as JSON: the nouns of `grader.model` again, by their types."""

from __future__ import annotations

import dataclasses
import json
import types
from collections.abc import Mapping
from enum import Enum
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from grader.model import SCHEMA, GradeReport


def read_report(text: str) -> GradeReport:
    """The report in a text of `json_report`; its figures, which are for the page alone, are not in it.

    Raises:
        ValueError: it is no report of this schema.
    """
    try:
        tree = json.loads(text)
        if tree["schema"] != SCHEMA:
            raise ValueError(f"schema {tree['schema']}, expected {SCHEMA}")
        return _object(GradeReport, tree)  # type: ignore[no-any-return]
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"no report: {type(error).__name__} {error}") from error


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _object(kind: type, tree: Mapping[str, Any]) -> Any:
    hints = _hints(kind)
    known = {field.name for field in dataclasses.fields(kind)}
    return kind(**{name: _value(hints[name], value) for name, value in tree.items() if name in known})


def _value(kind: Any, value: Any) -> Any:
    origin = get_origin(kind)
    if origin is not None:
        return _made_of(origin, get_args(kind), value)
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return _object(kind, value)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(value)
    return _plain(value) if kind in (float, int) else value


def _made_of(origin: Any, kinds: tuple[Any, ...], value: Any) -> Any:
    if origin in (Union, types.UnionType):
        return _one_of(kinds, value)
    if origin is tuple:
        return _tuple(kinds, value)
    if origin is Literal:
        return value
    return {name: _plain(item) for name, item in value.items()}  # Mapping: of plain values


def _one_of(kinds: tuple[Any, ...], value: Any) -> Any:
    if value is None:
        return None
    rest = [kind for kind in kinds if kind is not type(None)]
    return _value(rest[0], value) if len(rest) == 1 else _plain(value)


def _tuple(kinds: tuple[Any, ...], value: Any) -> tuple[Any, ...]:
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        return tuple(_value(kinds[0], item) for item in value)
    return tuple(_value(kind, item) for kind, item in zip(kinds, value, strict=True))


_NO_NUMBERS = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}


def _plain(value: Any) -> Any:
    return _NO_NUMBERS.get(value, value) if isinstance(value, str) else value
