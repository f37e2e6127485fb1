"""Mistake models of 08_batched_heads: the reference with named switches, what it is asked, and how to show it.

    x --read, check, below_one--> sizes --split--> heads, or how it refuses
    heads --read--> sizes --merge--> rows

    build(merge="view-after-transpose").merge_heads(heads)      behaves as a student who trusts view

A wrong option bears the slug of its card in exercises/mistakes.toml. Habits that are one and the same function share
one slug; a comment says which.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch
from torch import Tensor

from grader.checks import refusal
from grader.sandbox.client import Raised
from grader.sandbox.wire import ExceptionReport

Probe = dict[str, Any]
Lay = Callable[..., Tensor]  # tensor, *sizes -> the same numbers on other axes
Swap = Callable[[Tensor], Tensor]  # heads and positions change places

CALLS = {"x": "split_heads(x, num_heads)", "heads": "merge_heads(heads)"}
AXES = {"x": "B L d_model", "heads": "B h L d_k", "result": "B h L d_k", "merged": "B L d_model"}


# --- how axes are made and moved ---------------------------------------------------------------------------------

_LAY: dict[str, Lay] = {
    "reshape": lambda tensor, *sizes: tensor.reshape(*sizes),
    "view": lambda tensor, *sizes: tensor.view(*sizes),  # RuntimeError where the order in memory does not allow it
}


def _underscore(tensor: Tensor) -> Tensor:
    return tensor.transpose_(1, 2)  # of heads, that is the caller's tensor


_SWAP: dict[str, Swap] = {
    "two-axes": lambda tensor: tensor.transpose(1, 2),
    "transpose-of-four-axes-in-numpy-style": lambda tensor: tensor.transpose(0, 2, 1, 3),
    "transpose-with-an-underscore": _underscore,
}


# --- how the sizes are read --------------------------------------------------------------------------------------


def _no_batch(shape: Sequence[int]) -> Sequence[int]:
    if len(shape) == 3:
        L, d_model = shape  # ValueError
        return [1, L, d_model]
    h, L, d_k = shape
    return [1, h, L, d_k]


def _exchanged(shape: Sequence[int]) -> Sequence[int]:
    return [shape[1], shape[0], shape[2]] if len(shape) == 3 else shape


_READ: dict[str, Callable[[Sequence[int]], Sequence[int]]] = {
    "as-they-are": lambda shape: shape,
    "batch-axis-not-expected": _no_batch,
    "batch-and-length-exchanged": _exchanged,  # L, B, d_model = x.shape
}


# --- what is refused ---------------------------------------------------------------------------------------------


def _names_num_heads_only(num_heads: int) -> bool:
    if num_heads < 1:
        raise ValueError(f"num_heads = {num_heads} must be at least 1")
    return False


_BELOW_ONE: dict[str, Callable[[int], bool]] = {
    "refused": lambda num_heads: num_heads < 1,
    "too-few-heads-not-refused": lambda _num_heads: False,  # the rest of a division by 0 is what raises then
    "only-zero-heads-refused": lambda num_heads: num_heads == 0,
    "zero-heads-divided-by": lambda num_heads: num_heads < 0,  # where the rest is asked for first, too
    "too-few-heads-refused-without-the-width": _names_num_heads_only,
    "one-head-refused": lambda num_heads: num_heads <= 1,
}

# x, d_model, num_heads, what is refused below 1 -> x, or None where nothing is returned
Check = Callable[[Tensor, int, int, Callable[[int], bool]], Tensor | None]


def _raise_by(refused: Callable[[Tensor, int, int], bool]) -> Check:
    """Refuse where num_heads is below 1 or `refused(x, d_model, num_heads)` holds."""

    def check(x: Tensor, d_model: int, num_heads: int, below_one: Callable[[int], bool]) -> Tensor:
        if below_one(num_heads) or refused(x, d_model, num_heads):
            raise ValueError(f"d_model = {d_model} cannot be split into num_heads = {num_heads} heads of equal width")
        return x

    return check


def _without_the_numbers(x: Tensor, d_model: int, num_heads: int, below_one: Callable[[int], bool]) -> Tensor:
    if below_one(num_heads) or d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    return x


def _assert(x: Tensor, d_model: int, num_heads: int, below_one: Callable[[int], bool]) -> Tensor:
    assert not below_one(num_heads)
    assert d_model % num_heads == 0, f"d_model = {d_model} is not divisible by num_heads = {num_heads}"
    return x


def _print(x: Tensor, d_model: int, num_heads: int, below_one: Callable[[int], bool]) -> Tensor | None:
    return None if below_one(num_heads) or d_model % num_heads != 0 else x  # the text is printed


def _drop(x: Tensor, d_model: int, num_heads: int, _below_one: Callable[[int], bool]) -> Tensor:
    return x[..., : num_heads * (d_model // num_heads)].contiguous()  # all that slices of d_k columns reach


_CHECK: dict[str, Check] = {
    "both-numbers": _raise_by(lambda _x, d_model, num_heads: d_model % num_heads != 0),
    "indivisible-width-left-to-torch": lambda x, *_: x,  # view, reshape and unflatten
    "chunks-fewer-than-heads": lambda x, *_: x,
    "pieces-more-than-heads": lambda x, *_: x,
    "indivisible-width-drops-columns": _drop,  # d_k is rounded down, then slices or a buffer
    "refusal-without-the-numbers": _without_the_numbers,  # or with one of them
    "refusal-by-another-exception": _assert,  # or raise RuntimeError, TypeError, Exception
    "refusal-printed-not-raised": _print,
    "divisibility-check-inverted": _raise_by(lambda _x, d_model, num_heads: d_model % num_heads == 0),
    "divisibility-check-the-wrong-way-round": _raise_by(lambda _x, d_model, num_heads: num_heads % d_model != 0),
    "length-checked-for-divisibility": _raise_by(lambda x, _d_model, num_heads: x.shape[1] % num_heads != 0),
}


# --- the ways to split, each written as students write it --------------------------------------------------------

Split = Callable[[Tensor, Sequence[int], int, Lay, Swap], Any]  # x; B, L, d_model; h


def _right_split(x: Tensor, sizes: Sequence[int], h: int, lay: Lay, swap: Swap) -> Tensor:
    """(B, L, d_model) -> (B, L, h, d_k) -> (B, h, L, d_k)."""
    B, L, d_model = sizes
    return swap(lay(x, B, L, h, d_model // h))


def _laid(shape: Callable[[int, int, int, int], Sequence[int]], *then: int) -> Split:
    """Give x the axes `shape(B, L, h, d_k)` at once, then the order `then`."""

    def split(x: Tensor, sizes: Sequence[int], h: int, lay: Lay, _swap: Swap) -> Tensor:
        B, L, d_model = sizes
        laid = lay(x, *shape(B, L, h, d_model // h))
        return laid.permute(then) if then else laid

    return split


def _slices(columns: Callable[[Tensor, int, int], Tensor]) -> Split:
    """Stack `columns(x, i, d_k)` over the heads i, behind the batch."""
    return lambda x, sizes, h, _lay, _swap: torch.stack([columns(x, i, sizes[2] // h) for i in range(h)], dim=1)


def _pieces(dim: int, stacked: int) -> Split:
    """Stack h chunks along `dim` on a new axis."""
    return lambda x, _sizes, h, _lay, _swap: torch.stack(x.chunk(h, dim=dim), dim=stacked)


_SPLIT: dict[str, Split] = {
    "cut-then-swap": _right_split,
    "split-without-transpose": _laid(lambda B, L, h, d_k: (B, h, L, d_k)),
    # also -1 for the last size behind d_k, and x[..., i::h]
    "head-takes-every-hth-column": _laid(lambda B, L, h, d_k: (B, L, d_k, h), 0, 3, 1, 2),
    "split-after-transposing": lambda x, sizes, h, lay, _swap: lay(x.transpose(1, 2), sizes[0], h, sizes[1], -1),
    "split-reads-rows-as-columns": _laid(lambda B, L, h, d_k: (B, h, d_k, L), 0, 1, 3, 2),
    "heads-left-behind-the-positions": _laid(lambda B, L, h, d_k: (B, L, h, d_k)),  # stack(…, dim=2) too
    "last-two-axes-exchanged-after-the-cut": _laid(lambda B, L, h, d_k: (B, L, h, d_k), 0, 1, 3, 2),  # stack(…, -1) too
    "positions-moved-to-the-end": _laid(lambda B, L, h, d_k: (B, L, h, d_k), 0, 2, 3, 1),
    "axes-numbered-as-without-a-batch": _laid(lambda B, L, h, d_k: (B, L, h, d_k), 1, 0, 2, 3),  # transpose(0, 1)
    "heads-stacked-in-front-of-the-batch": _laid(lambda B, L, h, d_k: (B, L, h, d_k), 2, 0, 1, 3),
    "heads-folded-into-the-batch": lambda x, sizes, h, lay, swap: _right_split(x, sizes, h, lay, swap).flatten(0, 1),
    "heads-cut-out-of-the-batch-axis": _laid(lambda B, _L, h, d_k: (B * h, -1, d_k)),
    "heads-and-batch-flattened-in-different-orders": lambda x, sizes, h, lay, _swap: lay(
        torch.cat(x.chunk(h, dim=-1)), sizes[0], h, sizes[1], -1
    ),  # (h * B, L, d_k), read as (B, h, L, d_k)
    "axis-one-taken-for-the-columns": _pieces(1, 1),
    "batch-cut-into-heads": _pieces(0, 1),
    "head-count-and-width-exchanged": lambda x, _sizes, h, _lay, _swap: torch.stack(x.split(h, dim=-1), dim=1),
    "tuple-of-tensors-in-place-of-one": lambda x, _sizes, h, _lay, _swap: x.chunk(h, dim=-1),
    "always-two-heads": lambda x, sizes, _h, lay, swap: _right_split(x, sizes, 2, lay, swap),
    "head-width-from-the-example": lambda x, sizes, h, lay, swap: swap(lay(x, sizes[0], sizes[1], h, 3)),
    "batch-and-length-from-the-example": lambda x, _sizes, h, lay, swap: swap(lay(x, 2, 3, h, -1)),
    "every-head-gets-all-columns": _slices(lambda x, _i, _d_k: x),  # repeat, expand and repeat_interleave too
    "every-head-gets-the-same-columns": _slices(lambda x, _i, d_k: x[..., :d_k]),
    "head-slices-overlap": _slices(lambda x, i, d_k: x[..., i : i + d_k]),
    "slices-end-one-column-early": _slices(lambda x, i, d_k: x[..., i * d_k : (i + 1) * d_k - 1]),
    "heads-cut-in-reverse-order": lambda x, sizes, h, lay, swap: _right_split(x, sizes, h, lay, swap).flip(1),
    "head-width-as-a-float": lambda x, sizes, h, lay, swap: swap(lay(x, sizes[0], sizes[1], h, sizes[2] / h)),
}


# What the split looks like to which two kinds of missing check belong.
_UNCHECKED: dict[str, Split] = {
    "chunks-fewer-than-heads": _pieces(-1, 1),
    "pieces-more-than-heads": lambda x, sizes, h, _lay, _swap: torch.stack(x.split(sizes[2] // h, dim=-1), dim=1),
}


# --- the ways to merge -------------------------------------------------------------------------------------------

Merge = Callable[[Tensor, Sequence[int], Lay, Swap], Any]  # heads; B, h, L, d_k


def _right_merge(heads: Tensor, sizes: Sequence[int], lay: Lay, swap: Swap) -> Tensor:
    """(B, h, L, d_k) -> (B, L, h, d_k) -> (B, L, d_model)."""
    B, h, L, d_k = sizes
    return lay(swap(heads).contiguous(), B, L, h * d_k)


def _rows(move: Callable[[Tensor], Tensor]) -> Merge:
    """Bring the axes into another order, then make rows of them."""

    def merge(heads: Tensor, sizes: Sequence[int], lay: Lay, _swap: Swap) -> Tensor:
        B, h, L, d_k = sizes
        return lay(move(heads), B, L, h * d_k)

    return merge


def _viewed(heads: Tensor, sizes: Sequence[int], swap: Swap, *, contiguous_first: bool) -> Tensor:
    B, h, L, d_k = sizes
    return swap(heads.contiguous() if contiguous_first else heads).view(B, L, h * d_k)


_MERGE: dict[str, Merge] = {
    "swap-then-join": _right_merge,
    "merge-without-transpose": _rows(lambda heads: heads),
    "view-after-transpose": lambda heads, sizes, _lay, swap: _viewed(heads, sizes, swap, contiguous_first=False),
    "contiguous-before-the-transpose": lambda heads, sizes, _lay, swap: _viewed(
        heads, sizes, swap, contiguous_first=True
    ),
    "features-interleaved": _rows(lambda heads: heads.permute(0, 2, 3, 1).contiguous()),  # also stack(…, -1), flattened
    "heads-in-reverse-order": lambda heads, _sizes, _lay, _swap: torch.cat(heads.flip(1).unbind(1), dim=-1),
    "last-head-left-out": lambda heads, _sizes, _lay, _swap: torch.cat(heads[:, :-1].unbind(1), dim=-1),
    "merge-after-swapping-the-last-axes": _rows(lambda heads: heads.transpose(2, 3).contiguous()),
    "last-two-axes-flattened": lambda heads, sizes, lay, _swap: lay(heads, sizes[0], sizes[1], -1),  # (B, h, L * d_k)
    "axes-moved-but-not-merged": lambda heads, _sizes, _lay, swap: swap(heads),
    "sentences-run-on": lambda heads, sizes, lay, swap: lay(swap(heads).contiguous(), -1, sizes[1] * sizes[3]),
    "heads-joined-along-axis-one": lambda heads, _sizes, _lay, _swap: torch.cat(heads.unbind(1), dim=1),
    "heads-joined-along-the-batch": lambda heads, _sizes, _lay, _swap: torch.cat(heads.unbind(1)),
    "heads-summed": lambda heads, _sizes, _lay, _swap: heads.sum(dim=1),
    "heads-averaged": lambda heads, _sizes, _lay, _swap: heads.mean(dim=1),
    "only-the-first-head": lambda heads, _sizes, _lay, _swap: heads[:, 0].contiguous(),  # return inside the loop
    "only-the-last-head": lambda heads, _sizes, _lay, _swap: heads[:, -1].contiguous(),  # overwritten in the loop
    # a copy only where one is needed; flatten(2) too
    "reshape-taken-for-a-copy": lambda heads, sizes, _lay, swap: swap(heads).reshape(sizes[0], sizes[2], -1),
    "merged-rows-not-contiguous": lambda heads, sizes, lay, swap: (
        _right_merge(heads, sizes, lay, swap).mT.contiguous().mT
    ),  # the columns are joined as rows, then turned: cat of head.mT along dim 1, then .mT
}


# --- what goes out -----------------------------------------------------------------------------------------------

_RESULT: dict[str, Callable[[Any], Any]] = {
    "tensor": lambda found: found,
    "array-in-place-of-a-tensor": lambda found: found.numpy(),
    "axes-of-length-one-dropped": lambda found: found.squeeze(),
}

STAGES = {
    "lay": tuple(_LAY),
    "read": tuple(_READ),
    "check": tuple(_CHECK),
    "below_one": tuple(_BELOW_ONE),
    "swap": tuple(_SWAP),
    "split": tuple(_SPLIT),
    "merge": tuple(_MERGE),
    "result": tuple(_RESULT),
}

# Stages whose every option is right: they only change how a mistake elsewhere looks.
STYLES = ("lay",)

MISTAKES = {slug: (stage, slug) for stage, options in STAGES.items() if stage not in STYLES for slug in options[1:]}


def build(**options: str) -> SimpleNamespace:
    """The reference with the named option in each of these stages; `build()` is right everywhere."""
    chosen = {stage: names[0] for stage, names in STAGES.items()} | options
    lay, swap, result = _LAY[chosen["lay"]], _SWAP[chosen["swap"]], _RESULT[chosen["result"]]
    read, below_one = _READ[chosen["read"]], _BELOW_ONE[chosen["below_one"]]

    def split_heads(x: Tensor, num_heads: int) -> Any:
        B, L, d_model = read(x.shape)
        fitting = _CHECK[chosen["check"]](x, d_model, num_heads, below_one)
        if fitting is None:
            return None
        d_model += fitting.shape[2] - x.shape[2]  # dropped columns
        split = _UNCHECKED.get(chosen["check"], _SPLIT[chosen["split"]])
        found = split(fitting, [B, L, d_model], num_heads, lay, swap)
        return found if isinstance(found, tuple) else result(found)

    def merge_heads(heads: Tensor) -> Any:
        return result(_MERGE[chosen["merge"]](heads, read(heads.shape), lay, swap))

    return SimpleNamespace(split_heads=split_heads, merge_heads=merge_heads)


# --- what is asked -----------------------------------------------------------------------------------------------


def observe(subject: Any, probe: Probe) -> Any:
    """The answer to one call; where sizes must be refused, how; of merged rows, whether they are contiguous as well."""
    try:
        return _answer(subject, probe)
    except Raised as raised:
        raise Raised(_told_by_text(raised.report)) from raised


def _answer(subject: Any, probe: Probe) -> Any:
    if "heads" in probe:
        merged = subject.merge_heads(torch.from_numpy(probe["heads"]))
        # where d_k = 1, nearly every way to merge returns a view
        lies = probe["heads"].shape[3] == 1 or (isinstance(merged, Tensor) and merged.is_contiguous())
        return {"merged": merged, "memory": "contiguous" if lies else "not contiguous"}
    x, num_heads = torch.from_numpy(probe["x"]), probe["num_heads"]
    d_model = x.shape[2]
    if num_heads >= 1 and d_model % num_heads == 0:
        return subject.split_heads(x, num_heads)
    # which value comes of an impossible number of heads is an accident
    return refusal(lambda: subject.split_heads(x, num_heads), mentions=(d_model, num_heads), any_value=num_heads < 1)


def _told_by_text(report: ExceptionReport) -> ExceptionReport:
    """A TypeError with its words as its type: raised whatever the sizes are, only the words tell one from another."""
    if report.type_name != "TypeError":
        return report
    return replace(report, types=(f"{report.type_name}: {report.text}",), text="")


_SIZES = (  # B, L, h, d_k; in the second h divides B and L, in the third L, in the last three something is of length 1
    *((4, 5, 3, 2), (6, 4, 2, 5), (2, 6, 3, 4), (4, 2, 5, 3)),
    *((2, 3, 1, 4), (1, 3, 2, 4), (3, 1, 4, 2)),
)
_EXAMPLE = (5, 4, 2, 3)  # to be split only; d_k is that of the example, and h divides L
_REFUSED = (  # B, L, d_model, num_heads; in the second num_heads divides L, the negative ones divide d_model
    *((2, 5, 7, 3), (4, 6, 8, 3), (2, 3, 4, 6)),
    *((2, 5, 6, 0), (3, 4, 6, -2)),
)


def _split_probe(rng: np.random.Generator, B: int, L: int, d_model: int, num_heads: int) -> Probe:
    return {"x": rng.standard_normal((B, L, d_model)), "num_heads": num_heads}


def _merge_probe(rng: np.random.Generator, B: int, h: int, L: int, d_k: int, order: tuple[int, ...]) -> Probe:
    return {"heads": _stored(rng.standard_normal((B, h, L, d_k)), order)}


_LYING, _TURNED = (0, 1, 2, 3), (0, 2, 1, 3)  # heads in order, or as they come out of split_heads
_BY_POSITION = (2, 0, 1, 3)  # the numbers of a row lie together, but rows of other sentences lie between them


def _stored(heads: np.ndarray, order: tuple[int, ...]) -> np.ndarray:
    """The same heads with their axes in this order in memory, outermost first."""
    return heads.transpose(order).copy().transpose([order.index(axis) for axis in range(4)])


def probes() -> list[Probe]:
    """Inputs that tell all mistakes apart, among them axes of length 1 and sizes that must be refused."""
    rngs = map(np.random.default_rng, range(100))
    splits = [_split_probe(next(rngs), B, L, h * d_k, h) for B, L, h, d_k in (*_SIZES, _EXAMPLE)]
    refused = [_split_probe(next(rngs), *size) for size in _REFUSED]
    merges = [
        _merge_probe(next(rngs), B, h, L, d_k, (_LYING, _TURNED)[i % 2])
        for i, (B, L, h, d_k) in enumerate((*_SIZES, *_SIZES[:2]))
    ]
    merges += [_merge_probe(next(rngs), B, h, L, d_k, _BY_POSITION) for B, L, h, d_k in _SIZES[:2]]
    return [*splits, *refused, *merges]


def fresh_probe(rng: np.random.Generator) -> Probe:
    """One more input of that kind; one in six has an axis of length 1, three in eight must be refused."""
    B, L, h, d_k = (int(size) for size in 2 + rng.permutation(6)[:4])
    if rng.random() < 1 / 6:
        B, L, h = [(1, L, h), (B, 1, h), (B, L, 1)][rng.integers(3)]
    kind = int(rng.integers(8))
    if kind < 3:
        return _merge_probe(rng, B, h, L, d_k, (_LYING, _BY_POSITION, _TURNED)[kind])
    if kind < 5:
        return _split_probe(rng, B, L, h * d_k, int(rng.choice([0, -h, -h])))
    if kind == 5:
        width = h * d_k + 1
        return _split_probe(rng, B, L, width, max(h, 2) if rng.random() < 2 / 3 else width + h)
    if kind == 6 and rng.random() < 1 / 3:
        h = 1
    return _split_probe(rng, B, L, h * d_k, h)


_SMALL = (  # B, L, h, d_k
    *((1, 3, 2, 1), (1, 2, 2, 2), (2, 3, 2, 1), (1, 3, 2, 2), (2, 2, 2, 2)),
    *((2, 1, 3, 2), (1, 3, 2, 3), (1, 4, 4, 2)),
)


def small_probes() -> Iterator[Probe]:
    """Inputs from small to large with the numbers 1, 2, 3, …; those to be refused and axes of length 1 come late."""
    for B, L, h, d_k in _SMALL:
        numbers = np.arange(1.0, B * L * h * d_k + 1)
        yield {"x": numbers.reshape(B, L, h * d_k), "num_heads": h}
        heads = numbers.reshape(B, h, L, d_k)
        yield from ({"heads": _stored(heads, order)} for order in (_LYING, _TURNED, _BY_POSITION))
    for L, d_model, num_heads in ((1, 3, 2), (2, 3, 2), (1, 2, 0), (1, 2, -2)):
        yield {"x": np.arange(1.0, L * d_model + 1).reshape(1, L, d_model), "num_heads": num_heads}
    for size in ((1, 1, 2, 2), (2, 1, 1, 2), (2, 2, 1, 1)):
        yield {"heads": np.arange(1.0, np.prod(size) + 1).reshape(size)}
    yield {"x": np.arange(1.0, 5).reshape(1, 2, 2), "num_heads": 1}
