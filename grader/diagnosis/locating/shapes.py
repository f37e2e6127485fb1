"""Right numbers in the wrong form: in other places, on other axes, too many or too few of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations

import numpy as np

from grader.comparison import tuple_text
from grader.diagnosis.leaves import Array
from grader.diagnosis.locating.evidence import Evidence, Pair, close
from grader.model import Message

MOST_AXES = 5  # of which all orders are tried


def places(evidence: Evidence) -> Iterator[Message]:
    """The numbers are right, but not where they are: what can be said of this, the simplest first."""
    pairs = evidence.pairs
    if all(pair.want.shape != pair.got.shape and _same_but_ones(pair) for pair in pairs):
        yield _shapes(evidence, "axis_of_one")
    for order in _orders(evidence):
        names = evidence.names(len(order))
        got, expected = tuple_text([names[axis] for axis in order]), tuple_text(names)
        yield evidence.message("permuted", got=got, expected=expected)
    for axis, name in _axes(evidence):
        if all(close(np.flip(pair.want, axis), pair.got) for pair in pairs):
            yield evidence.message("reversed", axis=name)
    if all(close(pair.want.ravel(), pair.got.ravel()) for pair in pairs):
        yield _shapes(evidence, "reshaped")
    for axis, name in _axes(evidence):
        if all(_sorted_alike(pair.want, pair.got, axis) for pair in pairs):
            yield evidence.message("moved_along", axis=name)
    if all(_sorted_alike(pair.want.ravel(), pair.got.ravel(), 0) for pair in pairs):
        yield evidence.message("moved")


def axes(evidence: Evidence) -> Iterator[Message]:
    """An axis is missing, or one has another length."""
    pairs = evidence.pairs
    for key, reduced in _REDUCED.items():
        for axis, name in _axes(evidence, same_count=False):
            if all(close(reduced(pair.want, axis), pair.got) for pair in pairs):
                yield evidence.message(key, axis=name)
    for axis, name in _axes(evidence, same_count=False):
        if all(pair.got.shape == pair.want.shape[:axis] + pair.want.shape[axis + 1 :] for pair in pairs):
            yield evidence.message("axis_missing", axis=name)
    for axis, name in _axes(evidence):
        if all(_other_lengths(pair) == [axis] for pair in pairs):
            got, expected = pairs[0].got.shape[axis], pairs[0].want.shape[axis]
            yield evidence.message("axis_length", axis=name, got=got, expected=expected)


def any_shape(evidence: Evidence) -> Iterator[Message]:
    """The shape is wrong, and more cannot be said."""
    if all(pair.want.shape != pair.got.shape for pair in evidence.pairs):
        yield _shapes(evidence, "shape")


_REDUCED: dict[str, Callable[[Array, int], Array]] = {
    "summed": lambda want, axis: want.sum(axis=axis),
    "averaged": lambda want, axis: want.mean(axis=axis),
    "first_only": lambda want, axis: want.take(0, axis=axis),
    "last_only": lambda want, axis: want.take(-1, axis=axis),
}


def _shapes(evidence: Evidence, key: str) -> Message:
    """With the shapes of one failing input as an example."""
    want, got, _case = min(evidence.pairs, key=lambda pair: pair.want.size)
    expected = f"{tuple_text(want.shape)} = {tuple_text(evidence.names(want.ndim))}"
    return evidence.message(key, got=tuple_text(got.shape), expected=expected)


def _axes(evidence: Evidence, *, same_count: bool = True) -> list[tuple[int, str]]:
    """Axes that all expected answers have and that are longer than 1 in one of them; number and name of each."""
    counts = {pair.want.ndim for pair in evidence.pairs}
    if same_count:
        counts |= {pair.got.ndim for pair in evidence.pairs}
    if len(counts) != 1:
        return []
    names = evidence.names(counts.pop())
    return [(i, name) for i, name in enumerate(names) if any(pair.want.shape[i] > 1 for pair in evidence.pairs)]


def _orders(evidence: Evidence) -> Iterator[tuple[int, ...]]:
    """Orders of the axes, other than the right one, in which all wrong answers are right."""
    counts = {array.ndim for pair in evidence.pairs for array in (pair.want, pair.got)}
    count = min(counts, default=0)
    if counts != {count} or not 2 <= count <= MOST_AXES:
        return
    for order in permutations(range(count)):
        if order != tuple(range(count)) and all(close(pair.want.transpose(order), pair.got) for pair in evidence.pairs):
            yield order


def _same_but_ones(pair: Pair) -> bool:
    return close(pair.want.squeeze(), pair.got.squeeze())


def _sorted_alike(want: Array, got: Array, axis: int) -> bool:
    return want.shape == got.shape and close(np.sort(want, axis=axis), np.sort(got, axis=axis))


def _other_lengths(pair: Pair) -> list[int]:
    if pair.want.ndim != pair.got.ndim:
        return []
    return [i for i, (a, b) in enumerate(zip(pair.want.shape, pair.got.shape, strict=True)) if a != b]
