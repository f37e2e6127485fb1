"""What a part of the answer depends on and must not: a later position, another head, a blocked number.

One slice of one input is changed, right code and the submission are asked again, and what moved in the one and not in
the other is told. Right code says what may move, asked with other numbers too, since where a softmax is saturated or a
factor is 0 nothing moves that could; nothing is assumed about the task.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from grader.diagnosis.leaves import Array, Leaf, Numbers, comparable, elementwise, leaf_of
from grader.diagnosis.locating.conditions import is_large
from grader.diagnosis.locating.evidence import Answer, Evidence
from grader.diagnosis.models import Probe
from grader.diagnosis.observation import TOLERANCE, Observation
from grader.model import Message
from grader.sandbox.tensors import is_tensor

MOST_ASKED = 24  # times that the submission is asked
ASKED_AGAIN = 5  # times that the submission is asked before it is said to ignore an input
ORDINARY = 2  # draws of ordinary numbers, with which right code is asked what may move

Ask = Callable[[Probe], Observation]


def leaks(evidence: Evidence, right: Ask, submission: Ask) -> Iterator[Message]:
    """Numbers that move with an input that they must not depend on, or stay where they must move."""
    answer = _clearest(evidence)
    if answer is not None:
        yield from _Look(evidence, answer, right, submission).all()


def _clearest(evidence: Evidence) -> Answer | None:
    """A failing probe with answers of one form: ordinary numbers, all inputs, no axis of length 1, if possible."""

    def fits(answer: Answer) -> bool:
        want, got = (seen.leaves.get(evidence.place) for seen in (answer.right, answer.seen))
        numbers = isinstance(want, Numbers) and isinstance(got, Numbers)
        return numbers and comparable(want, got) and want.values.ndim > 0  # type: ignore[arg-type, union-attr]

    def clarity(answer: Answer) -> tuple[bool, bool, int, int]:
        given = [value for value in answer.probe.values() if value is not None]
        leaf = answer.right.leaves[evidence.place]
        longer = sum(length > 1 for length in leaf.values.shape) if isinstance(leaf, Numbers) else 0
        finite = _is_finite(answer.seen.leaves[evidence.place])
        return finite, not any(is_large(value) for value in given), len(given), longer

    wrong = [answer for answer, case in zip(evidence.answers, evidence.cases, strict=True) if case.wrong]
    return max(filter(fits, wrong), key=clarity, default=None)


class _Moved(NamedTuple):
    """What moves where some numbers of an input are others, an array of truth values each.

    Attributes:
        may: in right code, here or with ordinary numbers in all inputs.
        must: in right code, here.
        seen: in the submission.
    """

    may: Array
    must: Array
    seen: Array

    @property
    def stays(self) -> bool:
        """Whether nothing moves in the submission, though it must."""
        return bool(self.must.any()) and not self.seen.any()


class _Look:
    """One failing probe, changed in one way after the other."""

    def __init__(self, evidence: Evidence, answer: Answer, right: Ask, submission: Ask) -> None:
        self._evidence = evidence
        self._answer = answer
        self._right = right
        self._submission = submission
        self._left = MOST_ASKED
        self._finite = _is_finite(answer.seen.leaves[evidence.place])  # what is NaN stays NaN
        self._numbers: dict[str, Array] = {}
        for name, value in evidence.models.inputs_of(answer.probe).items():
            leaf = leaf_of(value)
            if isinstance(leaf, Numbers) and leaf.form != "number" and leaf.values.dtype.kind == "f":
                self._numbers[name] = leaf.values

    def all(self) -> Iterator[Message]:
        yield from self._blocked()
        for name, numbers in self._numbers.items():
            everywhere = np.ones(numbers.shape, dtype=bool)
            moved = self._moved(name, everywhere)
            if moved is not None and moved.stays and self._is_ignored(name, everywhere):
                yield self._evidence.message("ignored", input=name)
        for name, numbers in self._numbers.items():
            axes = self._evidence.models.axes_of(name)
            if len(axes) == numbers.ndim:
                for axis in range(numbers.ndim):
                    yield from self._along(name, axes, axis)

    def _blocked(self) -> Iterator[Message]:
        """Numbers that a mask of True and False takes out, in right code, of everything."""
        for mask_name, mask in self._evidence.models.inputs_of(self._answer.probe).items():
            leaf = leaf_of(mask)
            if not isinstance(leaf, Numbers) or leaf.values.dtype.kind != "b":
                continue
            for name, numbers in self._numbers.items():
                spread = self._spread(mask_name, leaf.values, name, numbers)
                for blocked in () if spread is None else (~spread, spread):
                    moved = self._moved(name, blocked) if blocked.any() and not blocked.all() else None
                    if moved is not None and not moved.may.any() and moved.seen.any():
                        yield self._evidence.message("blocked_counts", input=name, mask=mask_name)

    def _spread(self, mask_name: str, mask: Array, name: str, numbers: Array) -> Array | None:
        """The mask over the axes of the numbers, where it has no others."""
        own = self._evidence.models.axes_of(mask_name)[-mask.ndim :] if mask.ndim else ()
        axes = self._evidence.models.axes_of(name)
        if len(axes) != numbers.ndim or len(own) != mask.ndim or not set(own) <= set(axes):
            return None
        if [axis for axis in axes if axis in own] != list(own):
            return None
        shape = [length if axis in own else 1 for axis, length in zip(axes, numbers.shape, strict=True)]
        return np.broadcast_to(mask.reshape(shape), numbers.shape)

    def _along(self, name: str, axes: tuple[str, ...], axis: int) -> Iterator[Message]:
        """What moves with the last slice along one axis of one input, or does not with the first."""
        count = self._numbers[name].shape[axis]
        if count < 2:
            return
        yield from self._with_the_last(name, axes, axis, count)
        where = _slice(self._numbers[name].shape, axis, 0)
        first = self._moved(name, where)
        if first is not None and first.stays and self._is_ignored(name, where):
            yield self._evidence.message("ignored_slice", input=name, axis=axes[axis], index=0)

    def _with_the_last(self, name: str, axes: tuple[str, ...], axis: int, count: int) -> Iterator[Message]:
        where = _slice(self._numbers[name].shape, axis, count - 1)
        moved = self._moved(name, where)
        if moved is None:
            return
        leaking = moved.seen & ~moved.may
        fields: dict[str, str | int] = {"input": name, "axis": axes[axis], "index": count - 1}
        if leaking.any():
            place = [int(i) for i in np.argwhere(leaking)[0]]
            names = self._evidence.names(leaking.ndim)
            same_axis = names.index(axes[axis]) if axes[axis] in names else None
            if same_axis is None or place[same_axis] == count - 1:
                at = ", ".join(f"{each}={i}" for each, i in zip(names, place, strict=True))
                yield self._evidence.message("leak", **fields, place=at)
            else:
                later = self._sees_the_past(name, axis, same_axis)
                at = f"{axes[axis]}={place[same_axis]}"
                yield self._evidence.message("future" if later else "leak", **fields, place=at)
        elif moved.stays and self._is_ignored(name, where):
            yield self._evidence.message("ignored_slice", **fields)

    def _sees_the_past(self, name: str, axis: int, result_axis: int) -> bool:
        """Whether in right code the first slice moves later entries: then it is the future that must not be seen."""
        moved = self._changed(self._right, self._answer.right, name, _slice(self._numbers[name].shape, axis, 0))
        return moved is not None and bool(np.delete(moved, 0, axis=result_axis).any())

    def _moved(self, name: str, where: Array) -> _Moved | None:
        """What moves in right code and in the submission where these numbers of an input are others.

        Right code is changed in several ways: what moves in none of them does not depend on these numbers.
        """
        seen = self._submission_moved(name, where, 1.0)
        right = [self._changed(self._right, self._answer.right, name, where, by=by) for by in (1.0, -1.0, 4.0)]
        known = [moved for moved in right if moved is not None]
        if seen is None or len(known) < len(right):
            return None
        others = [self._changed(self._right, before, name, where, probe=probe) for probe, before in self._ordinary]
        must = np.logical_or.reduce(known)
        return _Moved(np.logical_or.reduce([must, *(moved for moved in others if moved is not None)]), must, seen)

    def _is_ignored(self, name: str, where: Array) -> bool:
        """Whether nothing moves in the submission with far other or ordinary numbers either, here and elsewhere."""
        if not self._finite or self._left < ASKED_AGAIN:
            return False
        tried = [self._submission_moved(name, where, by) for by in (10.0, -10.0, None)]
        probe, _right = self._ordinary[0]
        self._left -= 2
        tried.append(self._changed(self._submission, self._submission(probe), name, where, probe=probe))
        return all(moved is not None and not moved.any() for moved in tried)

    def _submission_moved(self, name: str, where: Array, by: float | None) -> Array | None:
        if not self._left:
            return None
        self._left -= 1
        return self._changed(self._submission, self._answer.seen, name, where, by=by)

    @cached_property
    def _ordinary(self) -> list[tuple[Probe, Observation]]:
        """The same probe with ordinary numbers in all inputs, and what right code makes of it."""
        probes: list[Probe] = []
        for _draw in range(ORDINARY):
            probe = dict(self._answer.probe)
            for name, numbers in self._numbers.items():
                probe[name] = _with_others(probe[name], np.ones(numbers.shape, dtype=bool), None, seed=len(probes) + 1)
            probes.append(probe)
        return [(probe, self._right(probe)) for probe in probes]

    def _changed(
        self,
        ask: Ask,
        before: Observation,
        name: str,
        where: Array,
        *,
        by: float | None = 1.0,
        probe: Probe | None = None,
    ) -> Array | None:
        """The numbers of the answer that move where these numbers of an input are others; see `_with_others`."""
        base = self._answer.probe if probe is None else probe
        old = before.leaves.get(self._evidence.place)
        new = ask({**base, name: _with_others(base[name], where, by)}).leaves
        leaf: Leaf | None = new.get(self._evidence.place)
        if not (isinstance(old, Numbers) and isinstance(leaf, Numbers) and comparable(old, leaf)):
            return None
        return elementwise(old.values, leaf.values) > TOLERANCE


def _is_finite(leaf: Leaf) -> bool:
    return isinstance(leaf, Numbers) and bool(np.isfinite(leaf.values).all())


def _slice(shape: tuple[int, ...], axis: int, index: int) -> Array:
    where = np.zeros(shape, dtype=bool)
    where[(slice(None),) * axis + (index,)] = True
    return where


def _with_others(value: Any, where: Array, by: float | None, seed: int = 0) -> Any:
    """The input with other numbers in these places: about `by` larger, or ordinary ones in their place."""
    rng = np.random.default_rng([where.size, seed])
    ordinary: Array = np.asarray(0.7 * rng.standard_normal(where.shape))
    larger = np.asarray(rng.permutation(np.linspace(0.5, 2.0, where.size))).reshape(where.shape)
    other = ordinary if by is None else by * larger
    if is_tensor(type(value)):
        changed = copy.deepcopy(value.detach())
        place, others = value.new_tensor(where).bool(), value.new_tensor(other[where])
        changed[place] = others if by is None else changed[place] + others
        return changed.requires_grad_(value.requires_grad)
    changed = value.copy()
    changed[where] = other[where] if by is None else changed[where] + other[where]
    return changed
