"""What one observation of a subject is, and how far apart two observations are.

    subject --models.observe--> value --leaves--> Observation --distance--> 0.0 … 1.0 … inf

A value is flattened into its leaves: arrays and floats are compared by value, everything else as a whole. Two
observations that differ in kind (shape, kind of dtype, pattern of NaN, exception, argument changed) are infinitely far
apart. Nothing here raises for a value that came over the wire, however it was meant.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from grader.errors import SubmissionError
from grader.sandbox.client import LoadFailed, MissingName, Raised, RemoteObject, Stopped, Subject
from grader.sandbox.wire import ExceptionReport, Opaque, type_label

TOLERANCE = 1e-5  # float32 noise of right code stays below 1e-6; authored mistakes differ by 1e-2 or in kind
MAX_LEAVES = 2_000
MAX_NUMBERS = 100_000  # in all arrays of one observation
MAX_TEXT = 200  # characters kept of a text

Place = tuple[str | int, ...]
Array = np.ndarray[Any, Any]

_KINDS = {"b": "bool", "i": "number", "u": "number", "f": "number", "c": "complex"}
_TOO_GENERAL = frozenset(["Exception", "BaseException", "RuntimeError", "LookupError", "ArithmeticError", "object"])
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True)
class Plain:
    """A leaf that is no array and no float: equal or different as a whole."""

    kind: str
    key: str = ""
    text: str = field(default="", compare=False)  # for display


@dataclass(frozen=True, eq=False)
class Numbers:
    """A leaf of numbers or truth values: an array, or one float or complex number."""

    values: Array
    scalar: bool = False


Leaf = Plain | Numbers


@dataclass(frozen=True, eq=False)
class Observation:
    """What a subject answered to one probe.

    Attributes:
        leaves: place in the value -> leaf, outermost first; empty where an exception was raised.
        raised: the exception, where one was raised.
        changed: the inputs changed in place, over all calls of the observation; "" for one that the submission calls
            by another name.
        asked: False where a function is missing or still raises NotImplementedError: this says nothing about mistakes.
    """

    leaves: Mapping[Place, Leaf] = field(default_factory=dict)
    raised: ExceptionReport | None = None
    changed: tuple[str, ...] = ()
    asked: bool = True


# --- observing ---------------------------------------------------------------------------------------------------


class _Watched:
    """A subject that remembers which arguments its calls changed."""

    def __init__(self, subject: Subject, inputs: Collection[str]) -> None:
        self._subject = subject
        self._inputs = inputs
        self.changed: dict[str, None] = {}  # as an ordered set
        self.answer: object = None  # of the last call

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *args, **kwargs: self.call(name, *args, **kwargs)

    def call(self, name: str, /, *args: object, **kwargs: object) -> Any:
        value = self._subject.call(name, *args, **kwargs)
        self.changed |= dict.fromkeys(name if name in self._inputs else "" for name in self._subject.changed)
        self.answer = value
        return value

    def make(self, name: str, /, *args: object, **kwargs: object) -> RemoteObject:
        return self._subject.make(name, *args, **kwargs)


def observation_of(observe: Callable[[Any, Any], object], subject: Subject, probe: Mapping[str, object]) -> Observation:
    """What `observe(subject, probe)` gives, exceptions and unusable answers included.

    Raises:
        Stopped, LoadFailed: the submission's worker was lost or could not be started.
    """
    watched = _Watched(subject, probe.keys())
    try:
        leaves = leaves_of(observe(watched, probe))
    except Raised as error:
        changed = tuple(watched.changed)
        return Observation(raised=error.report, changed=changed, asked=not error.not_written)
    except MissingName:
        return Observation(asked=False)
    except (Stopped, LoadFailed):
        raise
    except SubmissionError as error:  # an answer that cannot be looked at
        return Observation({(): Plain("unusable", error.message.key, str(error.message.fields.get("why", "")))})
    except (TypeError, ValueError, AttributeError, LookupError, ArithmeticError) as error:
        # `observe` took apart an answer of another form, such as unpacking None
        return Observation({(): Plain("unusable", type(error).__name__, short_form(watched.answer))})
    return Observation(leaves, changed=tuple(watched.changed))


def is_unusable(seen: Observation) -> bool:
    """Whether `observe` itself could make nothing of the answer."""
    return any(isinstance(leaf, Plain) and leaf.kind == "unusable" for leaf in seen.leaves.values())


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
        yield place, _leaf(value)


def _leaf(value: object) -> Leaf:
    if isinstance(value, np.ndarray):
        keep = value.dtype.kind in _KINDS and value.size <= MAX_NUMBERS
        return Numbers(value) if keep else Plain("array", text=short_form(value))
    if value is None or isinstance(value, bool | int | np.bool_ | np.integer):
        kind = "bool" if isinstance(value, bool | np.bool_) else type(None).__name__ if value is None else "int"
        return Plain(kind, str(value), str(value))
    if isinstance(value, float | complex | np.inexact):
        return Numbers(np.asarray(value), scalar=True)
    if isinstance(value, str | bytes):
        return Plain(type(value).__name__, f"{len(value)} {value[:MAX_TEXT]!r}", repr(value[:MAX_TEXT]))
    if isinstance(value, Opaque):
        text = f"{value.type_name} ({value.detail})" if value.detail else value.type_name
        return Plain("opaque", text, text)
    name = value.type_name if isinstance(value, RemoteObject) else type_label(value)
    return Plain("object", name, name)


def short_form(value: object) -> str:
    """Type and size of a value, or what it is if it has none, the same in every language."""
    if isinstance(value, np.ndarray):
        return f"ndarray {value.shape} {value.dtype}"
    if isinstance(value, list | tuple | dict):
        return f"{type(value).__name__}, len {len(value)}"
    leaf = _leaf(value)
    return leaf.text if isinstance(leaf, Plain) else repr(leaf.values[()].item())


# --- comparing ---------------------------------------------------------------------------------------------------


def same(a: Observation, b: Observation, tolerance: float = TOLERANCE) -> bool:
    """Whether two observations are one behaviour."""
    return distance(a, b) <= tolerance


def distance(a: Observation, b: Observation) -> float:
    """How far apart two observations are: 0.0 equal, inf different in kind, else the largest relative difference."""
    if a.asked != b.asked or not _same_changed(a, b) or (a.raised is None) != (b.raised is None):
        return math.inf
    if a.raised is not None and b.raised is not None:
        return 0.0 if _same_exception(a.raised, b.raised) else math.inf
    if a.leaves.keys() != b.leaves.keys():
        return math.inf
    worst = 0.0
    for place, leaf in a.leaves.items():
        worst = max(worst, leaf_distance(leaf, b.leaves[place]))
        if worst == math.inf:
            break
    return worst


def _same_changed(a: Observation, b: Observation) -> bool:
    if len(a.changed) != len(b.changed):
        return False
    return all(x == y or "" in (x, y) for x, y in zip(a.changed, b.changed, strict=True))


def first_difference(a: Observation, b: Observation) -> Place | None:
    """Place of the first leaf that differs, outermost first; None where all leaves are the same."""
    for place, leaf in a.leaves.items():
        if place not in b.leaves or leaf_distance(leaf, b.leaves[place]) > TOLERANCE:
            return place
    return None


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
    """Whether two leaves of numbers have one shape and one kind of dtype, so that their elements can be compared."""
    same_kind = _KINDS[a.values.dtype.kind] == _KINDS[b.values.dtype.kind]
    return same_kind and a.scalar == b.scalar and a.values.shape == b.values.shape


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
        equal = (a == b) | (np.isnan(a) & np.isnan(b))
        finite = np.isfinite(a) & np.isfinite(b)
        size = np.maximum(np.abs(np.where(finite, a, 0)), np.abs(np.where(finite, b, 0)))
        floor = min(1.0, float(size.max(initial=0.0)))
        relative = np.abs(a - b) / np.maximum(size, floor)
    relative = np.where(np.isnan(relative), math.inf, relative)
    return np.where(equal, 0.0, np.where(finite, relative, math.inf))


def _same_exception(a: ExceptionReport, b: ExceptionReport) -> bool:
    """Whether one is of the other's class; what nearly every exception is does not count."""
    if a.type_name == b.type_name:
        return True
    shared = {a.type_name} & set(b.types) | {b.type_name} & set(a.types)
    return bool(shared - _TOO_GENERAL)


def text_fits(a: ExceptionReport, b: ExceptionReport) -> bool:
    """Whether two exceptions say the same: the same text, the same two or more numbers in it, or None in both."""
    if a.text.split() == b.text.split() or ("NoneType" in a.text and "NoneType" in b.text):
        return True
    numbers = set(_NUMBER.findall(a.text[:MAX_TEXT]))
    return len(numbers) > 1 and numbers == set(_NUMBER.findall(b.text[:MAX_TEXT]))
