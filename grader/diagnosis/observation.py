"""What one observation of a subject is, and how far apart two observations are.

    subject --models.observe--> value --leaves--> Observation --distance--> 0.0 … 1.0 … inf

Two observations that differ in kind (array or tensor, shape, kind of dtype, pattern of NaN, exception, argument
changed) are infinitely far apart. Whether a tensor asks for gradients, and how it lies in memory, is not compared; an
`observe` that gives `x.is_contiguous()` beside x makes it so.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from grader.checks import is_deliberate
from grader.diagnosis.leaves import Leaf, Numbers, Place, Plain, leaf_distance, leaves_of, short_form
from grader.errors import SubmissionError
from grader.sandbox.client import LoadFailed, MissingName, Raised, RemoteObject, Stopped, Subject
from grader.sandbox.wire import ExceptionReport

TOLERANCE = 1e-5  # float32 noise of right code stays below 1e-6; authored mistakes differ by 1e-2 or in kind
MAX_TEXT = 200  # characters looked at in the text of an exception

_TOO_GENERAL = frozenset(["Exception", "BaseException", "RuntimeError", "LookupError", "ArithmeticError", "object"])
_NUMBER = re.compile(r"\d+")


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


class _Watched(Subject):
    """A subject that remembers which arguments its calls changed, those of methods of its objects included."""

    def __init__(self, subject: Subject, inputs: Collection[str]) -> None:
        super().__init__()
        self.all_changed: dict[str, None] = {}  # as an ordered set
        self.answer: object = None  # of the last call
        self._subject = subject
        self._inputs = inputs

    def ask(self, do: str, on: int | None, name: str, **fields: object) -> Any:
        """As the subject does; an object that stays there answers through here as well."""
        value = self._subject.ask(do, on, name, **fields)
        self.changed = self._subject.changed
        self.all_changed |= dict.fromkeys(name if name in self._inputs else "" for name in self.changed)
        self.answer = RemoteObject(self, value.handle) if isinstance(value, RemoteObject) else value
        return self.answer


def observation_of(observe: Callable[[Any, Any], object], subject: Subject, probe: Mapping[str, object]) -> Observation:
    """What `observe(subject, probe)` gives, exceptions and unusable answers included.

    Raises:
        Stopped, LoadFailed: the submission's worker was lost or could not be started.
    """
    watched = _Watched(subject, probe.keys())
    try:
        leaves = leaves_of(observe(watched, probe))
    except Raised as error:
        changed = tuple(watched.all_changed)
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
    return Observation(leaves, changed=tuple(watched.all_changed))


def is_unusable(seen: Observation) -> bool:
    """Whether `observe` itself could make nothing of the answer."""
    return any(isinstance(leaf, Plain) and leaf.kind == "unusable" for leaf in seen.leaves.values())


def wrong_refusals(seen: Observation) -> list[str]:
    """The exceptions among the parts of an answer that are not as the task wants them."""
    plain = [leaf for leaf in seen.leaves.values() if isinstance(leaf, Plain)]
    return [leaf.text for leaf in plain if leaf.kind == "refusal" and leaf.key != "as asked"]


# --- comparing ---------------------------------------------------------------------------------------------------


def same(a: Observation, b: Observation, tolerance: float = TOLERANCE) -> bool:
    """Whether two observations are one behaviour."""
    return a is b or (not _clearly_apart(a, b, tolerance) and distance(a, b) <= tolerance)


def _clearly_apart(a: Observation, b: Observation, tolerance: float) -> bool:
    """Whether one number of each tells already that they differ; most of what is compared does."""
    for place, leaf in a.leaves.items():
        other = b.leaves.get(place)
        if isinstance(leaf, Numbers) and isinstance(other, Numbers):
            if not leaf.values.size or leaf.values.shape != other.values.shape:
                return False
            middle = leaf.values.size // 2
            x, y = leaf.values.item(middle), other.values.item(middle)
            return bool(abs(x - y) > tolerance * max(1.0, abs(x), abs(y)))
    return False


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


def differences(a: Observation, b: Observation) -> Iterator[Place]:
    """Places of the leaves that differ, outermost first."""
    for place, leaf in a.leaves.items():
        if place not in b.leaves or leaf_distance(leaf, b.leaves[place]) > TOLERANCE:
            yield place


def first_difference(a: Observation, b: Observation) -> Place | None:
    """Place of the first leaf that differs; None where all leaves are the same."""
    return next(differences(a, b), None)


def shared_faults(seen: Observation, other: Observation, right: Observation) -> int:
    """In how many respects one observation is wrong just as another is, less those in which only it is wrong.

    A respect is the exception, the changed inputs, or form, shape or values of a leaf: of two mistakes at once, each
    often decides some of them alone, though nothing as a whole is what it is with one of them.
    """
    respects = [_respects(each) for each in (seen, other, right)]
    score = 0
    for key in dict.fromkeys(key for each in respects for key in each):
        of_seen, of_other, of_right = (each.get(key) for each in respects)
        if _one_respect(of_seen, of_right):
            score -= not _one_respect(of_other, of_right)
        else:
            score += _one_respect(of_other, of_seen)
    return score


def _respects(observation: Observation) -> dict[object, object]:
    raised = observation.raised and observation.raised.type_name
    found: dict[object, object] = {"raised": raised, "changed": observation.changed}
    for place, leaf in observation.leaves.items():
        if isinstance(leaf, Numbers):
            found |= {(place, "form"): (leaf.form, leaf.kind), (place, "shape"): leaf.values.shape}
            found[place, "values"] = leaf.values
        else:
            found[place, "form"] = leaf
    return found


def _one_respect(a: object, b: object) -> bool:
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        alike = a.shape == b.shape and a.dtype.kind == b.dtype.kind
        return alike and leaf_distance(Numbers(a), Numbers(b)) <= TOLERANCE
    return type(a) is type(b) and a == b


def _same_exception(a: ExceptionReport, b: ExceptionReport) -> bool:
    """Whether one is of the other's class; what nearly every exception is does not count."""
    if a.type_name == b.type_name:
        return True
    shared = {a.type_name} & set(b.types) | {b.type_name} & set(a.types)
    return bool(shared - _TOO_GENERAL)


def text_fits(a: ExceptionReport, b: ExceptionReport) -> bool:
    """Whether two exceptions say the same: both raised on purpose, one text, the same numbers in it, or None in both.

    A single number is no evidence; two different ones are.
    """
    if is_deliberate(a) and is_deliberate(b):
        return True
    if a.text.split() == b.text.split() or ("NoneType" in a.text and "NoneType" in b.text):
        return True
    numbers = set(_NUMBER.findall(a.text[:MAX_TEXT]))
    return len(numbers) > 1 and numbers == set(_NUMBER.findall(b.text[:MAX_TEXT]))
