"""What crosses the wire besides plain values and arrays: labels, handles and told exceptions, and the caps on them all.

Shared by both sides of the sandbox, so it imports nothing of ours.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

MAX_PAYLOAD = 64 * 2**20  # bytes
MAX_DEPTH = 32
MAX_ITEMS = 200_000  # values in one payload
MAX_INT_BYTES = 512
MAX_AXES = 16
MAX_LABEL = 200  # characters of a type name or detail

# A submission may rebind names inside numpy; this is the one that was there before it was loaded.
_ndarray = np.ndarray


class WireError(ValueError):
    """These bytes are no value, or this value does not fit on the wire."""


@dataclass(frozen=True)
class Opaque:
    """The label of a value that does not cross: its type, and why or what it was."""

    type_name: str
    detail: str = ""


@dataclass(frozen=True)
class Handle:
    """Names an object that stays in the worker."""

    id: int
    type_name: str


@dataclass(frozen=True)
class ArrayShape:
    """An array as an exception saw it: never its values."""

    name: str
    dtype: str
    shape: tuple[int, ...]


@dataclass(frozen=True)
class ExceptionReport:
    """An exception of the submission, told in plain text.

    Attributes:
        types: names of its class and bases, most derived first.
        line: line of the student's file that raised it or led to it; None where no frame of that file is involved.
        name: the `name` attribute of ImportError, NameError and AttributeError, else "".
        arrays: arrays among the local variables of the last frame in the student's file.
    """

    types: tuple[str, ...]
    text: str
    name: str = ""
    line: int | None = None
    code: str = ""
    function: str = ""
    traceback: str = ""
    arrays: tuple[ArrayShape, ...] = ()

    @property
    def type_name(self) -> str:
        return self.types[0]


def type_label(value: object) -> str:
    """`module.name` of a value's type, without asking the value itself."""
    kind = type(value)
    name = type.__dict__["__name__"].__get__(kind)
    module = type.__dict__["__module__"].__get__(kind)
    prefix = f"{module}." if type(module) is str and module not in ("builtins", "submission") else ""
    return f"{prefix}{name}"[:MAX_LABEL].encode("utf-8", "replace").decode()


def detail_of(value: object) -> str:
    """What can be said of a foreign value without running its code."""
    if issubclass(type(value), _ndarray):
        shape = _ndarray.shape.__get__(value)
        return f"a subclass of numpy.ndarray, shape {shape}"[:MAX_LABEL]
    return ""
