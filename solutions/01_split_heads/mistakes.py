"""Mistake models of 01_split_heads: the reference with one switch, the inputs it is asked with, and how to show them.

    build(split="reshape-only").split_heads(x, num_heads)      behaves as a student who only reshapes

Two habits that are one and the same function share one slug; a comment says which.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np

from grader.checks import refusal

Array = np.ndarray
Probe = dict[str, Any]

CALL = "split_heads(x, num_heads)"
AXES = {"x": "L d_model", "result": "h L d_k"}


# --- how the sizes are read --------------------------------------------------------------------------------------


def _batch_axis(x: Array) -> tuple[int, int]:
    _batch, L, d_model = x.shape  # ValueError: there are two axes
    return L, d_model


_READ: dict[str, Callable[[Array], tuple[int, int]]] = {
    "rows-and-columns": lambda x: (x.shape[0], x.shape[1]),
    "exchanged": lambda x: (x.shape[1], x.shape[0]),  # d_model, L = x.shape
    "batch-axis": _batch_axis,
}


# --- what is refused ---------------------------------------------------------------------------------------------


def _names_num_heads_only(num_heads: int) -> bool:
    if num_heads < 1:
        raise ValueError(f"num_heads = {num_heads} must be at least 1")
    return False


_BELOW_ONE: dict[str, Callable[[int], bool]] = {
    "refused": lambda num_heads: num_heads < 1,
    "unchecked": lambda _num_heads: False,  # the rest of a division by 0 is what raises then
    "zero-only": lambda num_heads: num_heads == 0,
    "negative-only": lambda num_heads: num_heads < 0,  # the rest of a division by 0 raises, as where it is asked first
    "names-num-heads-only": _names_num_heads_only,
    "one-head-too": lambda num_heads: num_heads <= 1,
}


def _refuse(d_model: int, num_heads: int) -> None:
    raise ValueError(f"d_model = {d_model} cannot be split into num_heads = {num_heads} heads of equal width")


def _raise_by(refused: Callable[[Array, int, int], bool]) -> Callable[..., Array]:
    """Refuse where num_heads is below 1 or `refused(x, d_model, num_heads)` holds."""

    def check(x: Array, d_model: int, num_heads: int, below_one: Callable[[int], bool]) -> Array:
        if below_one(num_heads) or refused(x, d_model, num_heads):
            _refuse(d_model, num_heads)
        return x

    return check


def _without_the_numbers(x: Array, d_model: int, num_heads: int, below_one: Callable[[int], bool]) -> Array:
    if below_one(num_heads) or d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    return x


def _assert(x: Array, d_model: int, num_heads: int, below_one: Callable[[int], bool]) -> Array:
    assert not below_one(num_heads)
    assert d_model % num_heads == 0, f"d_model = {d_model} is not divisible by num_heads = {num_heads}"
    return x


def _print(x: Array, d_model: int, num_heads: int, below_one: Callable[[int], bool]) -> Array | None:
    if below_one(num_heads) or d_model % num_heads != 0:
        return None  # the text is printed, or nothing is done
    return x


def _drop(x: Array, d_model: int, num_heads: int, _below_one: Callable[[int], bool]) -> Array:
    d_k = d_model // num_heads
    return x[:, : num_heads * d_k]  # (L, h * d_k): all that slices of d_k columns reach


def _pad(x: Array, d_model: int, num_heads: int, _below_one: Callable[[int], bool]) -> Array:
    d_k = -(-d_model // num_heads)  # rounded up
    return np.pad(x, ((0, 0), (0, num_heads * d_k - d_model)))  # (L, h * d_k)


_CHECK: dict[str, Callable[..., Array | None]] = {
    "both-numbers": _raise_by(lambda _x, d_model, num_heads: d_model % num_heads != 0),
    "left-to-numpy": lambda x, *_: x,  # also np.split, np.hsplit, and np.stack of np.array_split
    "columns-dropped": _drop,  # d_k is rounded down, then slices or a buffer
    "columns-padded": _pad,
    "without-the-numbers": _without_the_numbers,  # or with one of them
    "another-exception": _assert,  # or raise RuntimeError, TypeError, Exception
    "printed": _print,
    "inverted": _raise_by(lambda _x, d_model, num_heads: d_model % num_heads == 0),
    "wrong-way-round": _raise_by(lambda _x, d_model, num_heads: num_heads % d_model != 0),
    "length": _raise_by(lambda x, _d_model, num_heads: len(x) % num_heads != 0),
}


# --- the ways to split, each written as students write it --------------------------------------------------------


def _reshape_then_transpose(x: Array, L: int, d_model: int, h: int) -> Array:
    """The right one: (L, d_model) -> (L, h, d_k) -> (h, L, d_k)."""
    return x.reshape(L, h, d_model // h).transpose(1, 0, 2)


def _move(*axes: int) -> Callable[[Array, int, int, int], Array]:
    """Cut each row into heads, then bring the axes into this order, which is not (1, 0, 2)."""
    return lambda x, L, d_model, h: x.reshape(L, h, d_model // h).transpose(axes)


def _stack(columns: Callable[[Array, int, int], Array]) -> Callable[[Array, int, int, int], Array]:
    """Stack `columns(x, i, d_k)` over the heads i."""
    return lambda x, _L, d_model, h: np.stack([columns(x, i, d_model // h) for i in range(h)])


def _width_of_the_example(x: Array, L: int, _d_model: int, h: int) -> Array:
    return x.reshape(L, h, 3).transpose(1, 0, 2)  # ValueError unless d_k is 3


def _float_width(x: Array, L: int, d_model: int, h: int) -> Array:
    return x.reshape(L, h, d_model / h).transpose(1, 0, 2)  # TypeError


def _float_slices(x: Array, _L: int, d_model: int, h: int) -> Array:
    d_k = d_model / h
    return np.stack([x[:, i * d_k : (i + 1) * d_k] for i in range(h)])  # TypeError, of another text


Cut = Callable[[Array, int, int, int], Any]
Join = Callable[[list[Array]], Array]


def _some_heads(first: int, last: int, join: Join) -> Cut:
    """The loop leaves out so many heads in front and behind; less than 0: it goes on that far."""

    def cut(x: Array, _L: int, d_model: int, h: int) -> Array:
        d_k = d_model // h
        return join([x[:, i * d_k : (i + 1) * d_k] for i in range(first, h - last)])

    return cut


def _some_heads_into_zeros(first: int, last: int) -> Cut:
    def cut(x: Array, L: int, d_model: int, h: int) -> Array:
        out, d_k = np.zeros((h, L, d_model // h)), d_model // h
        for i in range(first, h - last):
            out[i] = x[:, i * d_k : (i + 1) * d_k]  # IndexError past the last head
        return out

    return cut


def _short_slices(x: Array, _L: int, d_model: int, h: int) -> Array:
    d_k = d_model // h
    return np.stack([x[:, i * d_k : (i + 1) * d_k - 1] for i in range(h)])  # (h, L, d_k - 1)


def _short_slices_into_zeros(x: Array, L: int, d_model: int, h: int) -> Array:
    out = np.zeros((h, L, d_model // h))
    out[:, :, :-1] = _short_slices(x, L, d_model, h)
    return out


def _one_head_as_it_is(x: Array, L: int, d_model: int, h: int) -> Array:
    return x if h == 1 else _reshape_then_transpose(x, L, d_model, h)


def _in_place(x: Array, L: int, d_model: int, h: int) -> Array:
    x.shape = (L, h, d_model // h)  # the caller's array has three axes now
    return x.transpose(1, 0, 2)


_SPLIT: dict[str, Callable[[Array, int, int, int], Any]] = {
    "reshape-then-transpose": _reshape_then_transpose,
    "reshape-only": lambda x, L, d_model, h: x.reshape(h, L, d_model // h),
    "width-outside-heads": lambda x, L, d_model, h: x.reshape(L, d_model // h, h).transpose(2, 0, 1),  # also x[:, i::h]
    "transposed-first": lambda x, L, d_model, h: x.T.reshape(h, L, d_model // h),
    "rows-read-as-columns": lambda x, L, d_model, h: x.reshape(h, d_model // h, L).transpose(0, 2, 1),
    "not-moved": lambda x, L, d_model, h: x.reshape(L, h, d_model // h),  # (L, h, d_k); np.stack(…, axis=1) too
    "all-axes-reversed": _move(2, 1, 0),  # (d_k, h, L); .T
    "positions-last": _move(1, 2, 0),  # (h, d_k, L); also x.T.reshape(h, d_k, L) and np.split(x.T, h)
    "heads-last": _move(0, 2, 1),  # (L, d_k, h); swapaxes(1, 2) and np.stack(…, axis=-1)
    "two-axes-transposed": _move(0, 1),  # torch's transpose(0, 1): ValueError in numpy
    "sequence-axis": lambda x, _L, _d_model, h: np.stack(np.split(x, h)),  # (h, L / h, d_model) or ValueError
    "rows": _stack(lambda x, i, d_k: x[i * d_k : (i + 1) * d_k]),  # (h, d_k, d_model) or ValueError
    "count-and-width": lambda x, _L, d_model, h: np.stack(np.split(x, d_model // h, axis=1)),  # (d_k, L, h)
    "list": lambda x, _L, _d_model, h: np.split(x, h, axis=1),
    "two-heads": lambda x, L, d_model, _h: _reshape_then_transpose(x, L, d_model, 2),
    "width-of-the-example": _width_of_the_example,
    "first-head": lambda x, _L, d_model, h: x[:, : d_model // h],  # the return stands inside the loop
    "last-head": lambda x, _L, d_model, h: x[:, d_model - d_model // h :],  # the variable is overwritten in the loop
    "all-columns": _stack(lambda x, _i, _d_k: x),  # (h, L, d_model); np.repeat, np.tile and broadcast_to too
    "same-columns": _stack(lambda x, _i, d_k: x[:, :d_k]),
    "start-at-i": _stack(lambda x, i, d_k: x[:, i : i + d_k]),
    "float-width": _float_width,
    "one-head-as-it-is": _one_head_as_it_is,
    "in-place": _in_place,
    "one-column-early": _short_slices,
    "from-head-1": _some_heads(1, 0, np.stack),  # ValueError for one head
    "to-head-h-1": _some_heads(0, 1, np.stack),
    "from-1-to-h": _some_heads(1, -1, np.stack),  # the last one is empty: ValueError for more than one
    "last-head-first": lambda x, L, d_model, h: _reshape_then_transpose(x, L, d_model, h)[::-1],
    "order-f": lambda x, L, d_model, h: x.reshape((h, L, d_model // h), order="F"),
}

# What looks otherwise in a loop that fills a buffer head by head, or collects heads for np.array.
_WRITTEN: dict[str, dict[str, Cut]] = {
    "at-once": {},
    "head-by-head": {
        "float-width": _float_slices,
        "one-column-early": _short_slices_into_zeros,
        "from-head-1": _some_heads_into_zeros(1, 0),
        "to-head-h-1": _some_heads_into_zeros(0, 1),
        "from-1-to-h": _some_heads_into_zeros(1, -1),
    },
    "collected": {
        "float-width": _float_slices,
        "from-head-1": _some_heads(1, 0, np.array),
        "to-head-h-1": _some_heads(0, 1, np.array),
        "from-1-to-h": _some_heads(1, -1, np.array),
    },
}


# --- what goes out -----------------------------------------------------------------------------------------------

_RESULT: dict[str, Callable[[Array], Array]] = {
    "array": lambda found: found,
    "squeeze": lambda found: found.squeeze(),
    "whole-numbers": lambda found: found.astype(int),  # np.zeros(…, dtype=int), filled head by head
}

STAGES = {
    "read": tuple(_READ),
    "check": tuple(_CHECK),
    "below_one": tuple(_BELOW_ONE),
    "split": tuple(_SPLIT),
    "result": tuple(_RESULT),
    "written": tuple(_WRITTEN),
}

# A stage whose every option is right: it only changes how a mistake elsewhere looks.
STYLES = ("written",)

MISTAKES = {
    "split-without-transpose": ("split", "reshape-only"),
    "head-takes-every-hth-column": ("split", "width-outside-heads"),
    "split-after-transposing": ("split", "transposed-first"),
    "split-reads-rows-as-columns": ("split", "rows-read-as-columns"),
    "heads-left-behind-the-positions": ("split", "not-moved"),
    "split-reverses-all-axes": ("split", "all-axes-reversed"),
    "positions-moved-to-the-end": ("split", "positions-last"),
    "heads-moved-to-the-end": ("split", "heads-last"),
    "transpose-of-two-axes-in-torch-style": ("split", "two-axes-transposed"),
    "split-along-the-positions": ("split", "sequence-axis"),
    "rows-sliced-for-heads": ("split", "rows"),
    "head-count-and-width-exchanged": ("split", "count-and-width"),
    "list-in-place-of-an-array": ("split", "list"),
    "always-two-heads": ("split", "two-heads"),
    "head-width-from-the-example": ("split", "width-of-the-example"),
    "only-the-first-head": ("split", "first-head"),
    "only-the-last-head": ("split", "last-head"),
    "every-head-gets-all-columns": ("split", "all-columns"),
    "every-head-gets-the-same-columns": ("split", "same-columns"),
    "head-slices-overlap": ("split", "start-at-i"),
    "head-width-as-a-float": ("split", "float-width"),
    "one-head-left-without-its-axis": ("split", "one-head-as-it-is"),
    "axes-of-length-one-dropped": ("result", "squeeze"),
    "array-of-whole-numbers-for-the-result": ("result", "whole-numbers"),
    "slices-end-one-column-early": ("split", "one-column-early"),
    "first-head-left-out": ("split", "from-head-1"),
    "heads-counted-from-one": ("split", "from-1-to-h"),
    "last-head-not-cut": ("split", "to-head-h-1"),
    "heads-cut-in-reverse-order": ("split", "last-head-first"),
    "reshaped-column-by-column": ("split", "order-f"),
    "argument-reshaped-in-place": ("split", "in-place"),
    "length-and-width-exchanged": ("read", "exchanged"),
    "batch-axis-expected": ("read", "batch-axis"),
    "indivisible-width-left-to-numpy": ("check", "left-to-numpy"),
    "indivisible-width-drops-columns": ("check", "columns-dropped"),
    "indivisible-width-padded": ("check", "columns-padded"),
    "refusal-without-the-numbers": ("check", "without-the-numbers"),
    "refusal-by-another-exception": ("check", "another-exception"),
    "refusal-printed-not-raised": ("check", "printed"),
    "divisibility-check-inverted": ("check", "inverted"),
    "divisibility-check-the-wrong-way-round": ("check", "wrong-way-round"),
    "length-checked-for-divisibility": ("check", "length"),
    "too-few-heads-not-refused": ("below_one", "unchecked"),
    "only-zero-heads-refused": ("below_one", "zero-only"),
    "zero-heads-divided-by": ("below_one", "negative-only"),
    "too-few-heads-refused-without-the-width": ("below_one", "names-num-heads-only"),
    "one-head-refused": ("below_one", "one-head-too"),
}


def build(
    *,
    read: str = "rows-and-columns",
    check: str = "both-numbers",
    below_one: str = "refused",
    split: str = "reshape-then-transpose",
    result: str = "array",
    written: str = "at-once",
) -> SimpleNamespace:
    """The reference with the named options; `build()` is right everywhere."""
    sizes, checked, too_few, cut = _READ[read], _CHECK[check], _BELOW_ONE[below_one], _SPLIT[split]
    cut = _WRITTEN[written].get(split, cut)

    def split_heads(x: Array, num_heads: int) -> Any:
        L, d_model = sizes(x)
        wide = checked(x, d_model, num_heads, too_few)
        if wide is None:
            return None
        d_model += wide.shape[1] - x.shape[1]  # dropped or padded columns
        found = cut(wide, L, d_model, num_heads)
        return _RESULT[result](found) if isinstance(found, np.ndarray) else found

    return SimpleNamespace(split_heads=split_heads)


# --- what is asked -----------------------------------------------------------------------------------------------


def observe(subject: Any, probe: Probe) -> Any:
    """The answer to one call; where the sizes must be refused, how it refuses them."""
    x, num_heads = probe["x"], probe["num_heads"]
    d_model = x.shape[1]
    if num_heads >= 1 and d_model % num_heads == 0:
        return subject.split_heads(x, num_heads)
    # which value comes of an impossible number of heads is an accident
    return refusal(lambda: subject.split_heads(x, num_heads), mentions=(d_model, num_heads), any_value=num_heads < 1)


_SIZES = (  # h, L, d_k; most of d_model are even, in some of them L is larger than d_model, in some h divides L
    (2, 6, 3),  # where length and width are the same, it does not show that they are exchanged
    *((3, 5, 4), (2, 7, 3), (4, 8, 5), (2, 9, 3), (3, 14, 4), (5, 4, 2), (2, 6, 5), (3, 6, 4)),
    *((1, 4, 3), (1, 3, 4), (3, 1, 4), (3, 6, 1), (4, 7, 1)),
)
_REFUSED = (  # L, d_model, num_heads; in two of them num_heads divides L, one of the negative ones divides d_model
    *((5, 7, 3), (9, 7, 2), (8, 6, 4), (9, 8, 3), (3, 4, 6)),
    # L is never d_model: a text of numpy that names the one would by accident name the other
    *((5, 6, 0), (4, 6, -2), (5, 6, -12)),
)


def probes() -> list[Probe]:
    """Inputs that tell all mistakes apart, among them axes of length 1 and sizes that must be refused."""
    sizes = [*((L, h * d_k, h) for h, L, d_k in _SIZES), *_REFUSED]
    return [_random(np.random.default_rng(i), *size) for i, size in enumerate(sizes)]


def fresh_probe(rng: np.random.Generator) -> Probe:
    """One more input of that kind; one in three must be refused, one in six has an axis of length 1."""
    h, L, d_k = (int(size) for size in 2 + rng.permutation(6)[:3])
    kind = int(rng.integers(6))
    if kind == 0:
        h, L, d_k = [(1, L, d_k), (h, 1, d_k), (h, L, 1)][rng.integers(3)]
    if kind == 1:
        return _random(rng, h * d_k + L, h * d_k, int(rng.choice([0, -h, -h - 1])))
    if kind == 2:
        width = h * d_k + int(rng.integers(1, h))
        return _random(rng, L if width != L else L + 1, width, h)
    return _random(rng, L, h * d_k, h)


def _random(rng: np.random.Generator, L: int, d_model: int, num_heads: int) -> Probe:
    return {"x": rng.standard_normal((L, d_model)), "num_heads": num_heads}


def small_probes() -> Iterator[Probe]:
    """Inputs from small to large with the numbers 1, 2, 3, …; those to be refused and axes of length 1 come late."""
    sizes = [(h, L, d_k) for h in range(1, 4) for L in range(1, 5) for d_k in range(1, 4) if h * L * d_k <= 18]
    refused = [(1, 3, 2), (2, 3, 2), (2, 4, 3), (3, 4, 3), (1, 2, 0), (1, 2, -2)]
    splits = sorted(sizes, key=lambda size: (1 in size, np.prod(size), size))
    whole = [(L, h * d_k, h) for h, L, d_k in splits if 1 not in (h, L, d_k)]
    with_one = [(L, h * d_k, h) for h, L, d_k in splits if 1 in (h, L, d_k)]
    for L, d_model, num_heads in [*whole, *refused, *with_one]:
        yield {"x": np.arange(1, L * d_model + 1).reshape(L, d_model), "num_heads": num_heads}
    yield {"x": np.arange(1, 9).reshape(2, 4) / 2, "num_heads": 2}  # fractions, which an array of integers cuts off
