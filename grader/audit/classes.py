"""Puts answers to one probe into classes, so that any two of different classes are clearly apart.

    answers --kind--> what has form, shape, pattern of NaN, exception, ... in common --gaps in a number--> classes

A gap in one number of the answer, as wide as the margin, parts all that lie below from all above. Two answers of one
class may still be apart, if others lie between them; these few are compared one by one where it matters.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from grader.diagnosis.leaves import Leaf, Numbers
from grader.diagnosis.observation import Observation, distance

MARGIN = 1e-2  # two behaviours are apart where they differ by this, or in kind

Floats = np.ndarray[Any, np.dtype[np.float64]]
Ints = np.ndarray[Any, np.dtype[np.int64]]


def classes_of(answers: Sequence[Observation]) -> Ints:
    """The class of each answer, numbered from 0."""
    found = np.zeros(len(answers), dtype=np.int64)
    count = 0
    for members in _of_one_kind(answers):
        parts = _parted([answers[index] for index in members])
        found[members] = parts + count
        count += int(parts.max()) + 1
    return found


def close_pairs(answers: Sequence[Observation]) -> Iterator[tuple[Observation, Observation]]:
    """Any two answers of one class: all that may differ by less than the margin."""
    classes = classes_of(answers)
    order = np.argsort(classes, kind="stable")
    for members in np.split(order, np.flatnonzero(np.diff(classes[order])) + 1):
        yield from combinations((answers[index] for index in members), 2)


def both(one: Ints, other: Ints) -> Ints:
    """The classes of two probes together: in one of them is what is in one class with each of the two."""
    pairs = one * (int(other.max(initial=0)) + 1) + other
    found: Ints = np.unique(pairs, return_inverse=True)[1].reshape(-1)
    return found


# --- kinds ---------------------------------------------------------------------------------------------------------


def _of_one_kind(answers: Sequence[Observation]) -> list[list[int]]:
    """Indices of answers that are not infinitely far apart, together."""
    exactly: dict[object, list[int]] = defaultdict(list)
    for index, answer in enumerate(answers):
        exactly[_kind(answer)].append(index)
    groups: list[list[list[int]]] = []  # each of kinds
    for kind in exactly.values():
        first = answers[kind[0]]
        # an exception is also like one of a derived class, and an argument of an unknown name like any other
        vague = first.raised is not None or first.changed
        like = [g for g in groups if vague and any(distance(first, answers[k[0]]) < np.inf for k in g)]
        groups = [group for group in groups if group not in like]
        groups.append([kind, *(other for group in like for other in group)])
    return [[index for kind in group for index in kind] for group in groups]


def _kind(answer: Observation) -> object:
    raised = answer.raised.types if answer.raised else None
    return answer.asked, answer.changed, raised, tuple((place, _form(leaf)) for place, leaf in answer.leaves.items())


def _form(leaf: Leaf) -> object:
    if not isinstance(leaf, Numbers):
        return leaf
    values = leaf.values
    if values.dtype.kind == "b":
        return leaf.form, values.shape, values.tobytes()
    finite = np.isfinite(values)
    pattern = b"" if finite.all() else np.where(finite, 0, values).tobytes()
    return leaf.form, leaf.kind, values.shape, pattern


# --- gaps ----------------------------------------------------------------------------------------------------------


def _parted(answers: Sequence[Observation]) -> Ints:
    """The class of each of these answers, all of one kind."""
    columns = [_columns(answer) for answer in answers]
    rows = np.array([np.concatenate(parts) if parts else np.zeros(0) for parts in columns])
    if not rows.shape[1]:
        return np.zeros(len(answers), dtype=np.int64)
    ends = np.cumsum([len(part) for part in columns[0]])
    leaf = np.searchsorted(ends, np.arange(rows.shape[1]), side="right")  # of each column
    distinct, of_answer = np.unique(rows, axis=0, return_inverse=True)
    found = np.zeros(len(distinct), dtype=np.int64)
    left, count = [np.arange(len(distinct))], 0
    while left:
        members = left.pop()
        pieces = _cut(distinct[members], leaf) if len(members) > 1 else None
        if pieces is None:
            found[members] = count
            count += 1
        else:
            left += [members[pieces == piece] for piece in range(int(pieces.max()) + 1)]
    return found[of_answer.reshape(-1)]


def _columns(answer: Observation) -> list[Floats]:
    """The finite numbers of each part of an answer, 0 in place of others; complex ones are not looked at."""
    parts = [leaf.values for leaf in answer.leaves.values() if isinstance(leaf, Numbers) and leaf.kind == "number"]
    return [np.where(np.isfinite(part), part, 0).astype(np.float64).ravel() for part in parts if part.size]


def _cut(rows: Floats, leaf: Ints) -> Ints | None:
    """A number for each row, by the gaps in the column that has most of them; None where none has any.

    A difference counts relative to the numbers themselves, but to no less than 1 or the largest number of that part of
    the answer, whichever is smaller, as in leaves.elementwise.
    """
    largest = np.zeros(int(leaf.max()) + 1)
    np.maximum.at(largest, leaf, np.abs(rows).max(axis=0))
    floor = np.minimum(1.0, largest)[leaf]
    order = np.argsort(rows, axis=0)
    ascending = np.take_along_axis(rows, order, axis=0)
    size = np.maximum(np.maximum(np.abs(ascending[:-1]), np.abs(ascending[1:])), floor)
    gaps = np.diff(ascending, axis=0) >= MARGIN * np.where(size > 0, size, 1.0)
    best = int(gaps.sum(axis=0).argmax())
    if not gaps[:, best].any():
        return None
    pieces = np.zeros(len(rows), dtype=np.int64)
    pieces[order[1:, best]] = np.cumsum(gaps[:, best])
    return pieces
