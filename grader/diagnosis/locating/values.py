"""Wrong numbers in the right form: weights that are none, one factor on all of them, or only some entries wrong.

All of this is asked only where every pair of wrong and right numbers is of one shape, or asks for that itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

import numpy as np

from grader.diagnosis.leaves import Array, Numbers, leaf_of
from grader.diagnosis.locating.evidence import Evidence, Pair, close
from grader.diagnosis.locating.factors import factor_name, offset_of, scale_of, temperature_of, text_of
from grader.model import Message

TINY = 1e-6
MOST_DIGITS = 3  # behind the point, to which rounding is told from what is right


def finite(evidence: Evidence) -> Iterator[Message]:
    """NaN, or an infinity, where a finite number is expected."""
    for key, is_bad in (("nan", np.isnan), ("infinite", np.isinf)):
        if all((is_bad(pair.got) & np.isfinite(pair.want)).any() for pair in evidence.pairs):
            yield evidence.message(key)


def kind(evidence: Evidence) -> Iterator[Message]:
    """Whole numbers where fractions are expected: cut off, rounded, or others."""
    pairs = [pair for pair in evidence.pairs if pair.want.dtype.kind == "f"]
    if len(pairs) < len(evidence.pairs):
        return
    for key, whole in (("cut", np.trunc), ("to_whole", np.round)):
        if all(close(whole(pair.want), pair.got) for pair in pairs):
            yield evidence.message(key)
    for digits in range(1, MOST_DIGITS + 1):
        if all(close(np.round(pair.want, digits), pair.got) for pair in pairs):
            yield evidence.message("to_digits", digits=digits)
    if all(pair.got.dtype.kind in "iu" for pair in pairs):
        want, got, _case = pairs[0]
        yield evidence.message("kind", got=str(got.dtype), expected=str(want.dtype))


def added(evidence: Evidence) -> Iterator[Message]:
    """The numbers of an input on top of the right ones, in their order or in another."""
    for name in evidence.pairs[0].case.inputs:
        if all(_holds(pair.got - pair.want, pair.case.inputs.get(name)) for pair in evidence.pairs):
            yield evidence.message("input_added", input=name)


def _holds(difference: Array, value: object) -> bool:
    leaf = leaf_of(value)
    if not isinstance(leaf, Numbers) or leaf.values.dtype.kind not in "iuf":
        return False
    numbers = leaf.values.astype(float)
    return difference.size == numbers.size > 1 and _sorted_alike(difference, numbers)


def _sorted_alike(a: Array, b: Array) -> bool:
    return close(np.sort(a, axis=None), np.sort(b, axis=None))


def weights(evidence: Evidence) -> Iterator[Message]:
    """What must be weights over the last axis and is not: the sums, the signs, what must be 0."""
    wanted = [case.want for case in evidence.cases if case.want is not None]
    if not all(want.ndim and want.dtype.kind == "f" and _is_weights(want) for want in wanted):
        return
    pairs = evidence.pairs
    if all(not _sum_to_one(pair.got, (-1,)) for pair in pairs):
        yield from _sums(evidence)
    if all((pair.got < -TINY).any() for pair in pairs):
        yield evidence.message("negative", got=text_of(float(pairs[0].got.min())))
    if all(((pair.want == 0) & (np.abs(pair.got) > TINY)).any() for pair in pairs):
        yield evidence.message("weight_for_blocked")
    temperatures = [temperature_of(pair.want, pair.got) for pair in pairs]
    if all(found is not None for found in temperatures):
        name = factor_name([found for found in temperatures if found is not None], [pair.case for pair in pairs])
        if name:
            yield evidence.message("temperature", factor=name)


def _sums(evidence: Evidence) -> Iterator[Message]:
    """Over which axes the weights sum to 1, where it is not the last one."""
    pairs = evidence.pairs
    count = pairs[0].got.ndim
    last = evidence.names(count)[-1]
    if all(pair.got.ndim == count for pair in pairs):
        for size in range(1, count + 1):
            for over in combinations(range(count), size):
                if over != (count - 1,) and all(_sum_to_one(pair.got, over) for pair in pairs):
                    names = ", ".join(evidence.names(count)[axis] for axis in over)
                    yield evidence.message("sums_elsewhere", got=names, expected=last)
    sums = pairs[0].got.sum(axis=-1)
    worst = sums.ravel()[int(np.argmax(np.abs(sums - 1)))]
    yield evidence.message("row_sums", axis=last, got=text_of(float(worst)))


def _is_weights(want: Array) -> bool:
    return bool((want >= 0).all()) and _sum_to_one(want, (-1,))


def _sum_to_one(array: Array, over: tuple[int, ...]) -> bool:
    return bool((np.abs(array.sum(axis=over) - 1) <= TINY).all())


def scale(evidence: Evidence) -> Iterator[Message]:
    """One factor on all numbers, or one number added to them."""
    pairs = evidence.pairs
    factors = [factor for pair in pairs for factor in [scale_of(pair.want, pair.got)] if factor is not None]
    one_each = len(factors) == len(pairs)
    name = factor_name(factors, [pair.case for pair in pairs]) if one_each else ""
    if name:
        yield evidence.message("sign") if name == "-1" else evidence.message("factor", factor=name)
    if all(close(np.abs(pair.want), np.abs(pair.got)) for pair in pairs):
        yield evidence.message("signs")
    offsets = [offset for pair in pairs for offset in [offset_of(pair.want, pair.got)] if offset is not None]
    if len(offsets) == len(pairs) and np.ptp(offsets) <= TINY:
        yield evidence.message("offset", offset=text_of(offsets[0]))
    if one_each and all(pair.want.size > 1 for pair in pairs):
        yield evidence.message("some_factor", factor=text_of(factors[0]))


def entries(evidence: Evidence) -> Iterator[Message]:
    """Entries along an axis that are all the same, or of which only some are wrong."""
    pairs = evidence.pairs
    counts = {pair.want.ndim for pair in pairs}
    if len(counts) != 1 or any(pair.want.shape != pair.got.shape for pair in pairs):
        return
    for axis, name in enumerate(evidence.names(counts.pop())):
        long = [pair for pair in pairs if pair.want.shape[axis] > 1]
        if len(long) == len(pairs) and all(
            _constant(pair.got, axis) and not _constant(pair.want, axis) for pair in long
        ):
            yield evidence.message("same_along", axis=name)
        if all(pair.want.shape[axis] == 2 for pair in long):
            continue  # the first and all but the last would be one
        for key, expected in _ENTRIES.items():
            if all(_wrong_along(pair, axis) == expected(pair.want.shape[axis]) for pair in pairs):
                yield evidence.message(key, axis=name)


_ENTRIES: dict[str, Callable[[int], list[int]]] = {
    "first_wrong": lambda _count: [0],
    "last_wrong": lambda count: [count - 1],
    "first_right": lambda count: list(range(1, count)),
    "last_right": lambda count: list(range(count - 1)),
}


def _constant(array: Array, axis: int) -> bool:
    return close(array, np.broadcast_to(array.take([0], axis=axis), array.shape))


def _wrong_along(pair: Pair, axis: int) -> list[int]:
    """Entries along an axis at which anything is wrong."""
    count = pair.want.shape[axis]
    return [i for i in range(count) if not close(pair.want.take(i, axis=axis), pair.got.take(i, axis=axis))]
