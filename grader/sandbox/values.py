"""What crosses the wire besides plain values and arrays: labels, handles and told exceptions, and the caps on them all.

Shared by both sides of the sandbox, so it imports nothing of ours.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

MAX_PAYLOAD = 64 * 2**20  # bytes
MAX_DEPTH = 32
MAX_ITEMS = 200_000  # values in one payload
MAX_INT_BYTES = 512
MAX_AXES = 16
MAX_LABEL = 200  # characters of a type name or detail
MAX_ENTRIES = 1000  # of one dict
MAX_KEY = 2**60  # larger whole numbers can be chosen to share one hash, and then a dict of them takes quadratic time
MAX_TEXT = 2000  # characters of an exception's text
MAX_CODE = 400  # characters of a source line
MAX_TRACE = 20_000  # characters of a traceback
MAX_NAMES = 500  # functions and classes that a file defines, and arguments that a call changed
MAX_ARRAYS = 20  # arrays told of with an exception, and arguments told to have changed
MAX_TYPES = 64  # classes that an exception derives from

DTYPES = frozenset(["|b1", "|i1", "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8", "<f2", "<f4", "<f8", "<c8", "<c16"])
U8, U32, U64, F64, C128 = (struct.Struct(f) for f in ("<B", "<I", "<Q", "<d", "<dd"))

# what a submission can reach for outside of the sandbox, where Python tells of it
REACHES = ("network", "program", "file")

_LINE_END = re.compile(r"\r\n|\r|\n")

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
class Build:
    """An object to be made where it is received: Build("torch.nn.MultiheadAttention", {"embed_dim": 24, ...}, state).

    Only our side sends it; a worker that sends one sends data like any other.

    Attributes:
        target: module and name of a class.
        arguments: keyword arguments for it.
        state: what its `load_state_dict` is given, name -> tensor; None leaves the initial values.
        training: its mode; evaluation by default.
        recording: whether the arguments of every call of `forward` are noted, for RemoteObject.calls.
    """

    target: str
    arguments: dict[str, object]
    state: dict[str, object] | None = None
    training: bool = False
    recording: bool = False

    @property
    def fields(self) -> tuple[object, ...]:
        return self.target, self.arguments, self.state, self.training, self.recording

    @classmethod
    def of(cls, fields: Any) -> Self:
        """From decoded `fields`; raises WireError for others."""
        _require(type(fields) is tuple and len(fields) == 5, "a thing to build with other fields")
        target, arguments, state, training, recording = fields
        _require(type(target) is str and type(arguments) is dict, "a thing to build without name or arguments")
        _require(state is None or type(state) is dict, "a thing to build with another state")
        _require(type(training) is bool and type(recording) is bool, "a thing to build in no known mode")
        return cls(target, arguments, state, training, recording)


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

    @property
    def fields(self) -> tuple[object, ...]:
        arrays = tuple((array.name, array.dtype, array.shape) for array in self.arrays)
        return self.types, self.text, self.name, self.line, self.code, self.function, self.traceback, arrays

    @classmethod
    def of(cls, fields: Any) -> Self:
        """From decoded `fields`; raises WireError for others."""
        _require(type(fields) is tuple and len(fields) == 8, "an exception with other fields")
        types, text, name, line, code, function, trace, arrays = fields
        _require(type(types) is tuple and 0 < len(types) <= MAX_TYPES, "an exception of no type, or of too many")
        limits = [*((part, MAX_TEXT) for part in (*types, text, name, function)), (code, MAX_CODE), (trace, MAX_TRACE)]
        _require(all(type(part) is str and len(part) <= most for part, most in limits), "an exception of other texts")
        _require(line is None or (type(line) is int and 0 <= line < 2**31), "an exception on no line")
        _require(type(arrays) is tuple and len(arrays) <= MAX_ARRAYS, "an exception with other arrays")
        _require(all(map(_is_array_shape, arrays)), "an exception with arrays of another form")
        shapes = tuple(ArrayShape(*array) for array in arrays)
        return cls(types, text, name, line, code, function, trace, shapes)


def source_lines(text: str) -> list[str]:
    """The lines of a program as Python counts them; `splitlines` would also end one at a form feed or at U+2028."""
    return _LINE_END.split(text)


def _require(condition: bool, problem: str) -> None:
    if not condition:
        raise WireError(problem)


def _is_array_shape(item: object) -> bool:
    if type(item) is not tuple or len(item) != 3:
        return False
    name, dtype, shape = item
    if type(name) is not str or type(dtype) is not str or max(len(name), len(dtype)) > MAX_LABEL:
        return False
    return type(shape) is tuple and len(shape) <= 64 and all(type(n) is int and 0 <= n < 2**63 for n in shape)


def is_key(value: object) -> bool:
    """Whether a dict on the wire may have this key: text, or a whole number that no other one can be made to match."""
    return value is None or type(value) in (str, bool) or (type(value) is int and abs(value) < MAX_KEY)


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
