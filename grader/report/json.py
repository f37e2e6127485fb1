"""Writes a report as JSON: the nouns of `grader.model` as plain objects, in the order of their fields."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping
from enum import Enum

from grader.model import GradeReport


def json_report(report: GradeReport) -> str:
    """The whole report as one JSON object with `schema` first.

    NaN and infinities, which JSON has no number for, become the strings "NaN", "Infinity" and "-Infinity". Characters
    that could steer a terminal are escaped, so that printing the text is safe. Figures are for the eye and stay on the
    page: what they show are values of the same functions that the checks tell of.
    """
    tree: dict[str, object] = {"schema": report.schema}  # first, so that a reader can choose what to do with the rest
    fields = [field for field in dataclasses.fields(report) if field.name != "figures"]
    tree |= {field.name: _plain(getattr(report, field.name)) for field in fields}
    text = json.dumps(tree, ensure_ascii=False, indent=2, allow_nan=False)
    return "\n".join(map(_escaped, text.split("\n"))) + "\n"


def _plain(value: object) -> object:
    if dataclasses.is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
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
