"""Writes a report as JSON: the nouns of `grader.model` as plain objects, in the order of their fields."""

from __future__ import annotations

import dataclasses
import functools
import json
import math
from collections.abc import Callable, Mapping
from enum import Enum

from grader.model import GradeReport


def json_report(report: GradeReport) -> str:
    """The whole report as one JSON object with `schema` first.

    NaN and infinities, which JSON has no number for, become the strings "NaN", "Infinity" and "-Infinity". Characters
    that could steer a terminal are escaped, so that printing the text is safe. Figures are for the eye and stay on the
    page: what they show are values of the same functions that the checks tell of.
    """
    text = json.dumps(_tree(report), ensure_ascii=False, indent=2, allow_nan=False)
    return "\n".join(map(_escaped, text.split("\n"))) + "\n"


def json_line(report: GradeReport) -> str:
    """The same object in one line, for thousands of them; without the line's end."""
    return _escaped(json.dumps(_tree(report), ensure_ascii=False, allow_nan=False))


def escaped_text(text: str) -> str:
    """What stands for a text between the quotation marks of `json_line`."""
    return _escaped(json.dumps(text, ensure_ascii=False))[1:-1]


def _tree(report: GradeReport) -> dict[str, object]:
    tree: dict[str, object] = {"schema": report.schema}  # first, so that a reader can choose what to do with the rest
    return tree | {name: _plain(getattr(report, name)) for name in _fields(type(report)) if name != "figures"}


def _names(kind: type) -> tuple[str, ...]:
    """Names of the fields of a dataclass, () of any other type."""
    return tuple(field.name for field in dataclasses.fields(kind)) if dataclasses.is_dataclass(kind) else ()


_fields: Callable[[type], tuple[str, ...]] = functools.cache(_names)  # a report holds hundreds of values


def _plain(value: object) -> object:
    if fields := _fields(type(value)):
        return {name: _plain(getattr(value, name)) for name in fields}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value


def _escaped(line: str) -> str:
    """The line with JSON's escapes for what cannot be seen; half a surrogate pair becomes U+FFFD."""
    if line.isprintable():
        return line
    return "".join(c if c.isprintable() else _escape(c) for c in line)


def _escape(character: str) -> str:
    if "\ud800" <= character <= "\udfff":
        return "\\ufffd"
    units = character.encode("utf-16-be")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))
