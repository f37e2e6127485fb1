"""What a value is made of, and how far apart two of its parts are.

A value is flattened into leaves: arrays, tensors and floats are compared by value, everything else as a whole. Nothing
here raises for a value that came over the wire, however it was meant.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from grader.checks import Refusal
from grader.comparison import as_array, dtype_name
from grader.sandbox.client import RemoteObject
from grader.sandbox.tensors import is_tensor
from grader.sandbox.wire import Build, Opaque, type_label

MAX_LEAVES = 2_000
MAX_NUMBERS = 100_000  # in all arrays of one value
MAX_TEXT = 200  # characters kept of a text

Place = tuple[str | int, ...]
Array = np.ndarray[Any, Any]

_KINDS = {"b": "bool", "i": "number", "u": "number", "f": "number", "c": "complex"}


@dataclass(frozen=True)
class Plain:
    """A leaf that holds no numbers to compare: equal or different as a whole."""

    kind: str
    key: str = ""
    text: str = field(default="", compare=False)  # for display


@dataclass(frozen=True, eq=False)
class Numbers:
    """A leaf of numbers or truth values: an array, a tensor, or one float or complex number."""

    values: Array
    form: Literal["array", "tensor", "number"] = "array"
    dtype: str = ""  # of a tensor, for display

    @property
    def kind(self) -> str:
        """The kind of its dtype: whole numbers and floats are one."""
        return _KINDS[self.values.dtype.kind]


Leaf = Plain | Numbers


def leaves_of(value: object) -> dict[Place, Leaf]:
    """The leaves of a decoded value by place; one leaf `too large` where they are too many to keep and compare."""
    found: dict[Place, Leaf] = {}
    numbers = 0
    for place, leaf in _walk((), value):
        found[place] = leaf
        numbers += leaf.values.size if isinstance(leaf, Numbers) else 0
        if len(found) > MAX_LEAVES or numbers > MAX_NUMBERS:
            return {(): Plain("too large", text=short_form(value))}
    return found


def _walk(place: Place, value: object) -> Iterator[tuple[Place, Leaf]]:
    if isinstance(value, list | tuple):  # a list in place of a tuple is no mistake that anyone teaches
        yield place, Plain("sequence", str(len(value)), short_form(value))
        for index, item in enumerate(value):
            yield from _walk((*place, index), item)
    elif isinstance(value, dict):
        yield place, Plain("dict", str(len(value)), short_form(value))
        for index, (key, item) in enumerate(value.items()):
            name = key[:MAX_TEXT] if isinstance(key, str) else f"#{index}"
            yield from _walk((*place, name), item)
    else:
        yield place, leaf_of(value)


def leaf_of(value: object) -> Leaf:
    """One value, which is no list, tuple or dict, as a leaf."""
    numbers = _numbers_of(value)
    if numbers is not None:
        return numbers
    if value is None or isinstance(value, bool | int | np.bool_ | np.integer):
        kind = "bool" if isinstance(value, bool | np.bool_) else type(None).__name__ if value is None else "int"
        return Plain(kind, str(value), str(value))
    if isinstance(value, str | bytes):
        return Plain(type(value).__name__, f"{len(value)} {value[:MAX_TEXT]!r}", repr(value[:MAX_TEXT]))
    if isinstance(value, Refusal):
        return Plain("refusal", value.manner, value.text)
    if isinstance(value, Opaque):
        text = f"{value.type_name} ({value.detail})" if value.detail else value.type_name
        return Plain("opaque", text, text)
    name = value.type_name if isinstance(value, RemoteObject) else type_label(value)
    return Plain("object", name, name)


def _numbers_of(value: object) -> Leaf | None:
    """The leaf of an array, a tensor, or a float or complex number; one without numbers where they are too many."""
    if isinstance(value, np.ndarray):
        keep = value.dtype.kind in _KINDS and value.size <= MAX_NUMBERS
        return Numbers(value) if keep else Plain("array", text=short_form(value))
    if is_tensor(type(value)):
        keep = value.numel() <= MAX_NUMBERS  # type: ignore[attr-defined]
        return (
            Numbers(as_array(value), "tensor", dtype_name(value)) if keep else Plain("tensor", text=short_form(value))
        )
    if isinstance(value, float | complex | np.inexact):
        return Numbers(np.asarray(value), "number")
    return None


def short_form(value: object) -> str:
    """Type and size of a value, or what it is if it has none, the same in every language."""
    if isinstance(value, np.ndarray):
        return f"ndarray {value.shape} {value.dtype}"
    if is_tensor(type(value)):
        return f"Tensor {tuple(value.shape)} {dtype_name(value)}"  # type: ignore[attr-defined]
    if isinstance(value, Build):
        given = ", ".join(f"{name}={short_form(item)}" for name, item in value.arguments.items())
        return f"{value.target.removeprefix('torch.')}({given}){'.train()' * value.training}"
    if isinstance(value, list | tuple | dict):
        return f"{type(value).__name__}, len {len(value)}"
    leaf = leaf_of(value)
    return leaf.text if isinstance(leaf, Plain) else repr(leaf.values[()].item())


# --- comparing -----------------------------------------------------------------------------------------------------


def leaf_distance(a: Leaf, b: Leaf) -> float:
    """How far apart two leaves are, see `distance`."""
    if isinstance(a, Plain) or isinstance(b, Plain):
        return 0.0 if a == b else math.inf
    if not comparable(a, b):
        return math.inf
    if a.values.dtype == b.values.dtype and a.values.tobytes() == b.values.tobytes():
        return 0.0
    differences = elementwise(a.values, b.values)
    return float(differences.max()) if differences.size else 0.0


def comparable(a: Numbers, b: Numbers) -> bool:
    """Whether two leaves of numbers have one form, shape and kind of dtype, so that their elements can be compared."""
    return a.kind == b.kind and a.form == b.form and a.values.shape == b.values.shape


def elementwise(a: Array, b: Array) -> Array:
    """Relative differences of two arrays of one shape and kind.

    Each is relative to the larger of the two numbers, but to no less than 1 or the largest number in the arrays,
    whichever is smaller: a weight of 1e-20 where 0 is right is no difference, a gradient of 1e-9 against 2e-9 is one.
    NaN equals NaN, inf equals inf of the same sign, and nothing else.
    """
    if a.dtype.kind == "b":
        return np.where(a == b, 0.0, math.inf)
    kind = np.complex128 if a.dtype.kind == "c" else np.float64
    a, b = a.astype(kind), b.astype(kind)
    with np.errstate(all="ignore"):
        finite = np.isfinite(a) & np.isfinite(b)
        size = np.where(finite, np.maximum(np.abs(a), np.abs(b)), 0.0)
        floor = min(1.0, float(size.max(initial=0.0))) or 1.0  # where all numbers are 0, anything but 0
        relative = np.abs(a - b) / np.maximum(size, floor)
    if finite.all():  # nearly always
        return np.where(np.isnan(relative), math.inf, relative)
    equal = (a == b) | (np.isnan(a) & np.isnan(b))
    return np.where(equal, 0.0, np.where(finite, relative, math.inf))
