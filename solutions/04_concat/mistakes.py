"""Mistake models of 04_concat: the reference with named switches, the inputs it is asked with, and how to show them.

    build(merge="merge-without-transpose").concat_heads(heads)      behaves as a student who only reshapes

A wrong option bears the slug of its card in exercises/mistakes.toml. Habits that are one and the same function share
one slug; a comment says which.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np

Array = np.ndarray
Probe = dict[str, Array]

CALL = "concat_heads(heads)"
AXES = {"heads": "h L d_v", "result": "L d_model"}


# --- the ways to merge, each written as students write it --------------------------------------------------------


def _transpose(heads: Array) -> Array:
    """The right one: (h, L, d_v) -> (L, h * d_v)."""
    h, L, d_v = heads.shape
    return heads.transpose(1, 0, 2).reshape(L, h * d_v)


def _reshape_after(*axes: int) -> Callable[[Array], Array]:
    """Bring the axes into this order, then reshape: all six orders are here, one of them is right."""

    def merge(heads: Array) -> Array:
        h, L, d_v = heads.shape
        return heads.transpose(axes).reshape(L, h * d_v)

    return merge


def _two_heads(heads: Array) -> Array:
    return np.concatenate([heads[0], heads[1]], axis=-1)  # (L, 2 * d_v), IndexError for one head


def _side_by_side(first: int, last: int) -> Callable[[Array], Array]:
    """The loop leaves out so many heads in front and behind; less than 0: it goes on that far."""
    return lambda heads: np.concatenate([heads[i] for i in range(first, len(heads) - last)], axis=-1)


def _into_zeros(where: Any) -> Callable[[Array], Array]:
    """Of (h, L, d_v) only what this index takes is written; the rest stays 0."""

    def merge(heads: Array) -> Array:
        written = np.zeros(heads.shape)
        written[where] = heads[where]
        return _transpose(written)

    return merge


def _read_column_by_column(heads: Array) -> Array:
    h, L, d_v = heads.shape
    return heads.reshape((L, h * d_v), order="F")


def _sum_into_first(heads: Array) -> Array:
    total = heads[0]  # a view of the argument
    for head in heads[1:]:
        total += head
    return total  # (L, d_v)


def _positions_as_heads(heads: Array) -> Array:
    """The axes are read as if they were (L, h, d_v); np.concatenate(heads.transpose(1, 0, 2), axis=-1) is the same."""
    L, h, d_v = heads.shape
    return heads.reshape(L, h * d_v)  # in truth (h, L * d_v)


def _into_columns(columns: Callable[[int, int, int], slice]) -> Callable[[Array], Array]:
    """A buffer filled head by head, in the columns that `columns(i, h, d_v)` names."""

    def merge(heads: Array) -> Array:
        h, L, d_v = heads.shape
        out = np.zeros((L, h * d_v))
        for i in range(h):
            out[:, columns(i, h, d_v)] = heads[i]
        return out

    return merge


_MERGE: dict[str, Callable[[Array], Any]] = {
    "transpose": _transpose,
    "merge-without-transpose": _reshape_after(0, 1, 2),  # np.resize and a loop over flat indices too
    "features-interleaved": _reshape_after(1, 2, 0),  # also np.dstack(heads), then reshape
    "merge-after-reversing-all-axes": _reshape_after(2, 1, 0),  # heads.T and swapaxes(0, 2)
    "merge-after-swapping-the-last-axes": _reshape_after(0, 2, 1),
    "merge-after-moving-features-first": _reshape_after(2, 0, 1),
    "concat-on-the-sequence-axis": lambda heads: np.concatenate(heads, axis=0),  # also vstack and reshape(-1, d_v)
    "concat-on-an-axis-that-is-gone": lambda heads: np.concatenate(list(heads), axis=2),  # AxisError: heads have 2 axes
    "rows-returned-as-lists": lambda heads: [[x for head in heads for x in head[t]] for t in range(heads.shape[1])],
    "heads-returned-as-a-list": lambda heads: [head for head in heads],  # noqa: C416 - as it is written; list(heads) too
    "heads-not-merged": lambda heads: heads,  # (h, L, d_v); np.stack(heads) and np.array(list(heads)) too
    "axes-moved-but-not-merged": lambda heads: heads.transpose(1, 0, 2),  # (L, h, d_v); also np.stack(heads, axis=1)
    "heads-on-a-new-last-axis": lambda heads: np.stack(heads, axis=-1),  # (L, d_v, h); also np.dstack
    "only-the-last-head": lambda heads: heads[-1],  # the variable is overwritten in the loop
    "only-the-first-head": lambda heads: heads[0],  # the return stands inside the loop
    "only-two-heads": _two_heads,
    "first-head-left-out": _side_by_side(1, 0),  # ValueError for one head
    "last-head-left-out": _side_by_side(0, 1),
    "heads-counted-from-one": _side_by_side(1, -1),  # IndexError
    "slices-end-one-column-early": lambda heads: _transpose(heads[..., :-1]),
    "heads-summed": lambda heads: heads.sum(axis=0),
    "heads-summed-into-the-argument": _sum_into_first,
    "heads-averaged": lambda heads: heads.mean(axis=0),
    "heads-in-reverse-order": lambda heads: np.concatenate(heads[::-1], axis=-1),  # each new head is put in front
    "result-transposed": lambda heads: _transpose(heads).T,  # (h * d_v, L); also np.vstack of head.T
    "merge-flattens-everything": lambda heads: np.concatenate(heads, axis=None),  # also ravel, np.append
    "merged-rows-flattened": lambda heads: heads.transpose(1, 0, 2).flatten(),
    "heads-taken-for-positions": _positions_as_heads,
    "column-blocks-overlap": _into_columns(lambda i, _h, d_v: slice(i, i + d_v)),
    "heads-overwrite-one-block": _into_columns(lambda _i, _h, d_v: slice(0, d_v)),
    "column-blocks-as-wide-as-the-heads-are-many": _into_columns(lambda i, h, _d_v: slice(i * h, (i + 1) * h)),
    "transpose-of-two-axes-in-torch-style": lambda heads: _transpose(heads.transpose(0, 1)),  # ValueError in numpy
    "reshaped-column-by-column": _read_column_by_column,
}

# What is left out in a loop that writes into a buffer, where the others join what there is.
_BUFFER: dict[str, Callable[[Array], Any]] = {
    "first-head-left-out": _into_zeros(np.s_[1:]),
    "last-head-left-out": _into_zeros(np.s_[:-1]),
    "slices-end-one-column-early": _into_zeros(np.s_[..., :-1]),
}


# --- what goes out -----------------------------------------------------------------------------------------------

_RESULT: dict[str, Callable[[Array], Array]] = {
    "array": lambda found: found,
    "axes-of-length-one-dropped": lambda found: found.squeeze(),
    "array-of-whole-numbers-for-the-result": lambda found: found.astype(int),  # np.zeros(…, dtype=int)
}

STAGES = {"merge": tuple(_MERGE), "result": tuple(_RESULT), "written": ("joined", "into-zeros")}

# A stage whose every option is right: it only changes how a mistake elsewhere looks.
STYLES = ("written",)

MISTAKES = {slug: (stage, slug) for stage in ("merge", "result") for slug in STAGES[stage][1:]}


def build(*, merge: str = "transpose", result: str = "array", written: str = "joined") -> SimpleNamespace:
    """The reference with the named options; `build()` is right everywhere."""
    function = _MERGE[merge]
    if written == "into-zeros":
        function = _BUFFER.get(merge, function)

    def concat_heads(heads: Array) -> Any:
        found = function(heads)
        return _RESULT[result](found) if isinstance(found, np.ndarray) else found

    return SimpleNamespace(concat_heads=concat_heads)


# --- what is asked -----------------------------------------------------------------------------------------------

_SIZES = (
    *((3, 5, 6), (2, 7, 3), (5, 4, 2), (4, 2, 7), (3, 2, 4), (6, 5, 2), (2, 3, 5), (7, 3, 4)),
    *((1, 4, 3), (3, 1, 5), (3, 4, 1)),
    *((4, 5, 4), (3, 1, 3)),  # h = d_v: here h in place of d_v raises nothing
)


def observe(subject: Any, probe: Probe) -> Any:
    """The answer to one call."""
    return subject.concat_heads(probe["heads"])


def probes() -> list[Probe]:
    """Inputs that tell all mistakes apart: sizes pairwise different but for the last five."""
    return [{"heads": np.random.default_rng(i).standard_normal(size)} for i, size in enumerate(_SIZES)]


def fresh_probe(rng: np.random.Generator) -> Probe:
    """One more input of that kind; one in three has one head, position or feature, one in six has h = d_v."""
    size = rng.permutation(np.arange(2, 8))[:3]
    if rng.random() < 1 / 6:
        size[2] = size[0]
    if rng.random() < 1 / 3:
        size[rng.integers(3)] = 1
    return {"heads": rng.standard_normal(size)}


def small_probes() -> Iterator[Probe]:
    """Inputs from small to large with the numbers 1, 2, 3, …; equal numbers of heads and positions come late."""
    sizes = [(h, L, d_v) for h in range(1, 4) for L in range(1, 4) for d_v in range(1, 4) if h * L * d_v <= 12]
    for size in sorted(sizes, key=lambda size: (1 in size[:2], size[0] == size[1], np.prod(size), size)):
        yield {"heads": np.arange(1, np.prod(size) + 1).reshape(size)}
    yield {"heads": np.arange(1, 9).reshape(2, 2, 2) / 2}  # fractions, which an array of integers cuts off
