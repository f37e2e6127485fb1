"""What a rule for one known exception is, and how shapes and arrays are worded in its sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from grader.model import Message
from grader.sandbox.wire import ArrayShape, ExceptionReport

Fields = Mapping[str, str | int]
MakeFields = Callable[[re.Match[str], ExceptionReport], Fields | None]
Shape = tuple[int, ...]

MAX_ARRAYS = 4  # named in one sentence
MAX_CODE = 400  # characters of the student's line that are looked at
_WORD = re.compile(r"[^\W\d]\w*")
_SIZE = re.compile(r"\d{1,18}|newaxis")

_VARIES = re.compile(r"\{(\w*):(\w+)\}")
_KINDS = {
    "int": r"-?\d{1,18}",
    "positive": r"[1-9]\d{0,17}",
    "sizes": r"[(\[][\w, -]{0,100}[)\]]",  # (3,5), (3, 5), [2, 5, 8], (3,newaxis)
    "name": r"[\w.<>]{1,80}",
    "quoted": r"[^'\"]{1,80}",
    "any": r".{0,200}",
}


def only_groups(match: re.Match[str], _report: ExceptionReport) -> Fields | None:
    """The named groups of the pattern are the fields of the sentence."""
    return match.groupdict()


def renamed(names: Mapping[str, str]) -> MakeFields:
    """Fields for a rule that holds where the name is one of these, with the name that it has here."""

    def fields(match: re.Match[str], _report: ExceptionReport) -> Fields | None:
        name = match["name"]
        return {"name": name, "known": names[name]} if name in names else None

    return fields


@dataclass(frozen=True)
class Rule:
    """One known exception: how it is recognised, and the sentence that explains it.

    Attributes:
        key: name of the sentence in grader/texts/diagnosis.toml.
        type_name: name of an exception class that the exception is of.
        form: what the text contains, with `{name:kind}` where something varies; `{:kind}` is not kept.
        fields: makes the fields of the sentence; None where the rule does not apply after all.
    """

    key: str
    type_name: str
    form: str
    fields: MakeFields = only_groups

    def explain(self, text: str, report: ExceptionReport) -> Message | None:
        """The sentence for this exception, None where it is not the one of this rule."""
        if self.type_name not in report.types:
            return None
        match = _pattern(self.form).search(text)
        fields = self.fields(match, report) if match else None
        return None if fields is None else Message(f"diagnosis.{self.key}", fields)


@cache
def _pattern(form: str) -> re.Pattern[str]:
    """The form as a pattern; nothing in it repeats without bound, so that a text made to be slow is not."""
    pieces = _VARIES.split(form)
    pattern = re.escape(pieces[0])
    for name, kind, literal in zip(pieces[1::3], pieces[2::3], pieces[3::3], strict=True):
        pattern += f"(?P<{name}>{_KINDS[kind]})" if name else f"(?:{_KINDS[kind]})"
        pattern += re.escape(literal)
    return re.compile(pattern)


# --- shapes and arrays -------------------------------------------------------------------------------------------


def with_arrays(match: re.Match[str], report: ExceptionReport) -> Fields:
    """The named groups, and `arrays` for the arrays that the student's line names."""
    return {**match.groupdict(), "arrays": arrays_on_line(report)}


def arrays_on_line(report: ExceptionReport, size: int | None = None) -> str:
    """The text " [q (3, 5, 6), k (3, 7, 6)]" for the arrays named on the student's line, "" where there is none.

    Args:
        size: only arrays of this many numbers.
    """
    words = set(_WORD.findall(report.code[:MAX_CODE]))
    named = [array for array in report.arrays if array.name in words]
    if size is not None:
        named = [array for array in named if _count(array.shape) == size]
    return f" [{', '.join(map(_named, named[:MAX_ARRAYS]))}]" if named else ""


def _named(array: ArrayShape) -> str:
    return f"{array.name} {array.shape}"


def _count(shape: Shape) -> int:
    count = 1
    for size in shape:
        count *= size
    return count


def shape_of(text: str) -> Shape:
    """The sizes in "(3,5,newaxis)" or "[2, 5, 8]"; an axis that numpy calls newaxis has size 1."""
    return tuple(1 if size == "newaxis" else int(size) for size in _SIZE.findall(text))


def product(shape: Shape) -> str:
    """The text "5 × 5 = 25", or "25" for one axis."""
    if len(shape) == 1:
        return str(shape[0])
    return f"{' × '.join(map(str, shape)) or '()'} = {_count(shape)}"


def clash(a: Shape, b: Shape) -> dict[str, str | int] | None:
    """Fields a, b, axis, m, n: the first axis from the right where two shapes do not broadcast; None if they do."""
    for axis, (m, n) in enumerate(zip(reversed(a), reversed(b), strict=False), start=1):
        if m != n and 1 not in (m, n):
            return {"a": str(a), "b": str(b), "axis": -axis, "m": m, "n": n}
    return None
