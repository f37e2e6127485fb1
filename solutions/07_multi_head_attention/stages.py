r"""The stages of 07_multi_head_attention, each with all the ways in which people write it, the right one first.

    x --matrices, product, split--> q, k, v --compare, scale--> scores --causal, triangle, mask, softmax--> weights
    weights, v --values--> heads --merge--> joined --output--> out --result--> (out, weights)

A wrong option bears the slug of its card in exercises/mistakes.toml. Every stage takes what the stage before it gives,
so that mistakes of different stages can be made together. Habits that are one and the same function share one slug; a
comment says which. mistakes.py makes a layer of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Array = np.ndarray
Product = Callable[[Array, Array], Array]

MATRICES = ("w_q", "w_k", "w_v", "w_o")


# --- from x to queries, keys and values --------------------------------------------------------------------------

_MATRICES: dict[str, Callable[[Array, Array, Array], tuple[Array, Array, Array]]] = {
    "own": lambda w_q, w_k, w_v: (w_q, w_k, w_v),
    "projections-skipped": lambda w_q, _w_k, _w_v: (np.eye(len(w_q)),) * 3,  # x itself is cut into heads
    "values-not-projected": lambda w_q, w_k, _w_v: (w_q, w_k, np.eye(len(w_q))),
    "keys-used-as-values": lambda w_q, w_k, _w_v: (w_q, w_k, w_k),  # weights @ k; also w_k for the values
    "keys-and-values-exchanged": lambda w_q, w_k, w_v: (w_q, w_v, w_k),
    "keys-projected-by-w-q": lambda w_q, _w_k, w_v: (w_q, w_q, w_v),
    "queries-used-as-values": lambda w_q, w_k, _w_v: (w_q, w_k, w_q),
    "one-projection-for-all": lambda w_q, _w_k, _w_v: (w_q, w_q, w_q),
    "projections-transposed": lambda w_q, w_k, w_v: (w_q.T, w_k.T, w_v.T),
}

_PRODUCT: dict[str, Product] = {
    "x-first": np.matmul,
    "projection-in-front-of-x": lambda x, w: w @ x,  # ValueError unless L = d_model
}


def _reshaped(*axes: int) -> Callable[..., Array]:
    """Cut each row into heads, then bring position, head and feature into this order."""
    return lambda x, w, dot, h, d_k: dot(x, w).reshape(len(x), h, d_k).transpose(axes)


def _columns(first: Callable[[int, int], int]) -> Callable[..., Array]:
    """Of x @ w, head i gets d_k columns from `first(i, d_k)` on."""

    def split(x: Array, w: Array, dot: Product, h: int, d_k: int) -> Array:
        y = dot(x, w)
        return np.stack([y[:, first(i, d_k) : first(i, d_k) + d_k] for i in range(h)])

    return split


def _blocks(of: Callable[[int, int], slice]) -> Callable[..., Array]:
    """Cut x, not x @ w: slice i of x meets the d_k by d_k block of w that starts where `of` says."""

    def split(x: Array, w: Array, dot: Product, h: int, d_k: int) -> Array:
        own = [slice(i * d_k, (i + 1) * d_k) for i in range(h)]
        return np.stack([dot(x[:, own[i]], w[of(i, d_k), of(i, d_k)]) for i in range(h)])

    return split


def _two_heads(x: Array, w: Array, dot: Product, _h: int, _d_k: int) -> Array:
    return dot(x, w).reshape(len(x), 2, -1).transpose(1, 0, 2)


_SPLIT: dict[str, Callable[[Array, Array, Product, int, int], Array]] = {
    "columns-of-the-product": _reshaped(1, 0, 2),
    "split-without-transpose": lambda x, w, dot, h, d_k: dot(x, w).reshape(h, len(x), d_k),
    "head-takes-every-hth-column": lambda x, w, dot, h, d_k: dot(x, w).reshape(len(x), d_k, h).transpose(2, 0, 1),
    "split-after-transposing": lambda x, w, dot, h, d_k: dot(x, w).T.reshape(h, len(x), d_k),
    "heads-left-behind-the-positions": lambda x, w, dot, h, d_k: dot(x, w).reshape(len(x), h, d_k),
    "positions-moved-to-the-end": _reshaped(1, 2, 0),
    "split-along-the-positions": lambda x, w, dot, h, _d_k: np.stack(np.split(dot(x, w), h)),
    "head-count-and-width-exchanged": lambda x, w, dot, _h, d_k: np.stack(np.split(dot(x, w), d_k, axis=1)),
    "transpose-of-two-axes-in-torch-style": _reshaped(0, 1),  # ValueError
    "always-two-heads": _two_heads,
    "every-head-gets-the-same-columns": _columns(lambda _i, _d_k: 0),
    "head-slices-overlap": _columns(lambda i, _d_k: i),
    "input-split-before-projecting": _blocks(lambda i, d_k: slice(i * d_k, (i + 1) * d_k)),
    "input-split-and-one-block-for-all-heads": _blocks(lambda _i, d_k: slice(0, d_k)),
    "matrix-reshaped-into-heads": lambda x, w, dot, h, d_k: dot(x, w.reshape(h, len(w), d_k)),
    "attention-without-heads": lambda x, w, dot, _h, _d_k: dot(x, w),  # (L, d_model); also scores summed over heads
}


# --- from queries and keys to scores -----------------------------------------------------------------------------

_COMPARE: dict[str, Product] = {
    "each-query-with-each-key": lambda q, k: q @ k.swapaxes(-1, -2),
    "keys-reversed-on-all-axes": lambda q, k: q @ k.T,  # ValueError for nearly all sizes
    "keys-not-transposed": lambda q, k: q @ k,  # ValueError unless L = d_k
    "keys-reshaped-not-transposed": lambda q, k: q @ k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2]),
    "scores-with-keys-as-rows": lambda q, k: k @ q.swapaxes(-1, -2),  # also w_q and w_k exchanged
    "keys-of-one-head-for-all": lambda q, k: q @ k[0].T,
}

_SCALE: dict[str, Callable[[int, int, int], float]] = {  # h, d_k, keys -> what the scores are divided by
    "root-of-d_k": lambda _h, d_k, _keys: np.sqrt(d_k),
    "scores-not-scaled": lambda _h, _d_k, _keys: 1,
    "scaled-by-the-root-of-d-model": lambda h, d_k, _keys: np.sqrt(h * d_k),
    "scaled-without-the-root": lambda _h, d_k, _keys: d_k,
    "multiplied-by-the-root": lambda _h, d_k, _keys: d_k**-0.5,
    "half-power-without-brackets": lambda _h, d_k, _keys: d_k * 2,  # scores / d_k ** 1 / 2
    "divided-by-half-of-d-k": lambda _h, d_k, _keys: d_k / 2,  # d_k ** 1/2 in a line of its own
    "scaled-by-the-count-of-keys": lambda _h, _d_k, keys: np.sqrt(keys),  # there are as many queries
    "scaled-by-the-count-of-heads": lambda h, _d_k, _keys: np.sqrt(h),
    "scale-of-the-example": lambda _h, _d_k, _keys: np.sqrt(2),
    "scale-of-the-paper": lambda _h, _d_k, _keys: 8,
    "root-cut-to-a-whole-number": lambda _h, d_k, _keys: int(np.sqrt(d_k)),
    "scaled-after-the-softmax": lambda _h, _d_k, _keys: 1,  # the weights are divided in its place
}


# --- the mask ----------------------------------------------------------------------------------------------------

_CAUSAL: dict[str, Callable[[bool], bool]] = {
    "as-asked": lambda causal: causal,
    "causal-argument-ignored": lambda _causal: True,
    "causal-argument-read-the-wrong-way-round": lambda causal: not causal,
}

_TRIANGLE: dict[str, Callable[[int, int], Array]] = {  # L, d_k -> allowed
    "lower": lambda L, _d_k: np.tril(np.ones((L, L), dtype=bool)),
    "causal-mask-blocks-the-diagonal": lambda L, _d_k: np.tril(np.ones((L, L), dtype=bool), k=-1),
    "causal-mask-shows-one-future-key": lambda L, _d_k: np.tril(np.ones((L, L), dtype=bool), k=1),
    "causal-mask-blocks-the-past": lambda L, _d_k: np.triu(np.ones((L, L), dtype=bool)),
    "mask-inverted": lambda L, _d_k: np.triu(np.ones((L, L), dtype=bool), k=1),
    "causal-mask-as-wide-as-a-head": lambda _L, d_k: np.tril(np.ones((d_k, d_k), dtype=bool)),
}

Softmax = Callable[[Array], Array]
Fill = Callable[[Array, Array], Array]  # scores, blocked -> scores


def _replace(scores: Array, blocked: Array) -> Array:
    return np.where(blocked, -np.inf, scores)


def _assign(scores: Array, blocked: Array) -> Array:
    filled = scores.copy()
    filled[..., blocked] = -1e9
    return filled


def _first_head(scores: Array, blocked: Array, fill: Fill) -> Array:
    filled = scores.copy()
    filled[0] = fill(scores[0], blocked)
    return filled


def _three_axes_only(scores: Array, blocked: Array, fill: Fill) -> Array:
    filled = scores.copy()
    filled[blocked] = -np.inf if fill is _replace else -1e9  # IndexError unless L = h
    return filled


_FILL: dict[str, Fill] = {"minus-infinity": _replace, "large-negative": _assign}

_MASK: dict[str, Callable[[Array, Array, Fill, Softmax], tuple[Array, Array]]] = {  # -> scores, weights
    "before-the-softmax": lambda x, blocked, fill, softmax: (y := fill(x, blocked), softmax(y)),
    "mask-ignored": lambda x, _blocked, _fill, softmax: (x, softmax(x)),  # its result is not assigned
    # to 9 digits also 1e-9 and -1e-9 in place of -1e9; scores * allowed
    "blocked-scores-set-to-zero": lambda x, blocked, _fill, softmax: (y := np.where(blocked, 0, x), softmax(y)),
    "blocked-scores-set-to-minus-hundred": lambda x, blocked, _fill, softmax: (
        y := np.where(blocked, -100, x),
        softmax(y),
    ),
    "mask-after-softmax": lambda x, blocked, _fill, softmax: (x, np.where(blocked, 0, softmax(x))),
    "softmax-again-after-mask": lambda x, blocked, fill, softmax: (x, softmax(fill(softmax(x), blocked))),
    "mask-on-the-first-head-only": lambda x, blocked, fill, softmax: (y := _first_head(x, blocked, fill), softmax(y)),
    "mask-of-three-axes-only": lambda x, blocked, fill, softmax: (y := _three_axes_only(x, blocked, fill), softmax(y)),
}


# --- the softmax -------------------------------------------------------------------------------------------------


def _over(axis: Any) -> Softmax:
    def softmax(x: Array) -> Array:
        powers = np.exp(x - x.max(axis=axis, keepdims=True))
        return powers / powers.sum(axis=axis, keepdims=True)

    return softmax


def _lost_axes(*, maximum: bool, total: bool) -> Softmax:
    """The axis of the keys is lost in the maximum, in the sum, or in both."""

    def softmax(x: Array) -> Array:
        powers = np.exp(x - x.max(axis=-1, keepdims=not maximum))
        return powers / powers.sum(axis=-1, keepdims=not total)

    return softmax


def _less(peak: Callable[[Array], Any]) -> Softmax:
    """The softmax after `peak(x)` is taken from the scores."""

    def softmax(x: Array) -> Array:
        powers = np.exp(x - peak(x))
        return powers / powers.sum(axis=-1, keepdims=True)

    return softmax


_SOFTMAX: dict[str, Softmax] = {
    "over-keys": _over(-1),
    "softmax-over-queries": _over(-2),
    "softmax-over-heads": _over(0),
    "softmax-over-each-table": _over((-2, -1)),
    "softmax-over-everything": _over(None),
    "softmax-twice": lambda x: _over(-1)(_over(-1)(x)),
    "softmax-left-out": lambda x: x,
    "weights-not-divided": lambda x: np.exp(x - x.max(axis=-1, keepdims=True)),
    "no-maximum-subtracted": _less(lambda _x: 0),
    "one-maximum-for-many-rows": _less(np.max),
    "sum-without-keepdims": _lost_axes(maximum=False, total=True),
    "maximum-without-keepdims": _lost_axes(maximum=True, total=False),
    "no-keepdims": _lost_axes(maximum=True, total=True),
}


# --- from weights and values to the output -----------------------------------------------------------------------

_VALUES: dict[str, Product] = {
    "weights-times-values": np.matmul,
    "weights-turned-before-the-values": lambda weights, v: weights.swapaxes(-1, -2) @ v,
    "values-in-front-of-the-weights": lambda weights, v: v @ weights,  # ValueError unless L = d_k
}


def _merged_after(*axes: int) -> Callable[[Array, Array], Array]:
    """Bring the axes into this order, then reshape: all six orders are here, one of them is right."""
    return lambda heads, x: heads.transpose(axes).reshape(x.shape)


def _into_a_buffer(heads: Array, x: Array) -> Array:
    joined, d_k = np.zeros_like(x), heads.shape[-1]  # for whole numbers in x, a buffer of whole numbers
    for i, head in enumerate(heads):
        joined[:, i * d_k : (i + 1) * d_k] = head
    return joined


def _without(heads: Array, index: Any) -> Array:
    """Positions in front of heads; what the loop leaves out stays 0."""
    filled = heads.copy()
    filled[index] = 0
    return filled.transpose(1, 0, 2)


_MERGE: dict[str, Callable[[Array, Array], Array]] = {
    "transpose": _merged_after(1, 0, 2),
    "merge-without-transpose": _merged_after(0, 1, 2),
    "features-interleaved": _merged_after(1, 2, 0),
    "merge-after-reversing-all-axes": _merged_after(2, 1, 0),
    "merge-after-swapping-the-last-axes": _merged_after(0, 2, 1),
    "merge-after-moving-features-first": _merged_after(2, 0, 1),
    "heads-in-reverse-order": lambda heads, _x: np.concatenate(heads[::-1], axis=-1),
    "heads-cut-to-whole-numbers": _into_a_buffer,
    "first-head-left-out": lambda heads, x: _without(heads, np.s_[:1]).reshape(x.shape),
    "last-head-left-out": lambda heads, x: _without(heads, np.s_[-1:]).reshape(x.shape),
    "slices-end-one-column-early": lambda heads, x: _without(heads, np.s_[..., -1]).reshape(x.shape),
}


def _projected(heads: Array, w_o: Array) -> list[Array]:
    """Head i times its rows of W^O, for every head."""
    d_k = heads.shape[-1]
    return [head @ w_o[i * d_k : (i + 1) * d_k] for i, head in enumerate(heads)]


_OUTPUT: dict[str, Callable[[Array, Array, Array, Array], Array]] = {  # joined, heads, w_o, x
    "joined-times-w-o": lambda joined, _heads, w_o, _x: joined @ w_o,
    "output-projection-left-out": lambda joined, _heads, _w_o, _x: joined,
    "w-o-transposed": lambda joined, _heads, w_o, _x: joined @ w_o.T,
    "w-o-in-front-of-the-heads": lambda joined, _heads, w_o, _x: w_o @ joined,  # ValueError unless L = d_model
    "w-o-meets-the-width-of-one-head": lambda _joined, heads, w_o, _x: heads[-1] @ w_o,  # ValueError for h > 1
    "w-o-meets-heads-that-are-not-joined": lambda _joined, heads, w_o, _x: heads @ w_o,  # ValueError for h > 1
    "w-o-applied-to-the-values": lambda joined, _heads, _w_o, _x: joined,  # the values have met it already
    "same-rows-of-w-o-for-every-head": lambda _joined, heads, w_o, _x: heads.sum(axis=0) @ w_o[: heads.shape[-1]],
    "projected-heads-not-summed": lambda _joined, heads, w_o, _x: np.stack(_projected(heads, w_o)),
    "projected-heads-side-by-side": lambda _joined, heads, w_o, _x: np.concatenate(_projected(heads, w_o), axis=-1),
    "only-the-last-head-is-projected": lambda _joined, heads, w_o, _x: _projected(heads, w_o)[-1],
    "activation-after-w-o": lambda joined, _heads, w_o, _x: np.maximum(joined @ w_o, 0),
    "input-added-to-the-output": lambda joined, _heads, w_o, x: x + joined @ w_o,
}

_RESULT: dict[str, Callable[[Array, Array, Array], Any]] = {  # out, weights, scores
    "both": lambda out, weights, _scores: (out, weights),
    "only-the-output-is-returned": lambda out, _weights, _scores: out,
    "weights-returned-before-the-output": lambda out, weights, _scores: (weights, out),
    "weights-averaged-over-the-heads": lambda out, weights, _scores: (out, weights.mean(axis=0)),
    "weights-of-the-last-head-returned": lambda out, weights, _scores: (out, weights[-1]),  # the loop's last value
    "scores-returned-for-weights": lambda out, _weights, scores: (out, scores),
    "list-in-place-of-an-array": lambda out, weights, _scores: (out, list(weights)),
    "axes-of-length-one-dropped": lambda out, weights, _scores: (out, weights.squeeze()),
}


# --- the object: what it refuses, what it keeps, what it counts --------------------------------------------------

_REFUSES: dict[str, Callable[[int, int], bool]] = {
    "indivisible": lambda d_model, num_heads: num_heads < 1 or d_model % num_heads != 0,
    "indivisible-width-let-through": lambda _d_model, _num_heads: False,
}

_COUNT: dict[str, Callable[[Any, int, int, int], Any]] = {  # layer, d_model, h, d_k
    "four-matrices": lambda layer, *_: sum(getattr(layer, name).size for name in MATRICES),
    "output-projection-not-counted": lambda _, d_model, _h, _d_k: 3 * d_model**2,
    "count-multiplied-by-the-heads": lambda _, d_model, h, _d_k: 4 * h * d_model**2,
    "every-head-counted-at-full-width": lambda _, d_model, h, _d_k: 3 * h * d_model**2 + d_model**2,
    "head-matrices-counted-too-small": lambda _, d_model, h, d_k: 3 * h * d_k**2 + d_model**2,
    "one-matrix-for-query-key-and-value": lambda _, d_model, _h, _d_k: 2 * d_model**2,
    "count-returned-as-a-float": lambda _, d_model, h, _d_k: 3 * h * d_model * (d_model / h) + d_model**2,
    "biases-counted-that-are-not-there": lambda _, d_model, _h, _d_k: 4 * d_model**2 + 4 * d_model,
    "attention-weights-counted": lambda layer, *_: sum(v.size for v in vars(layer).values() if isinstance(v, Array)),
    "matrices-counted-by-their-rows": lambda layer, *_: sum(len(getattr(layer, name)) for name in MATRICES),
}

_KEPT = (
    "nothing",
    "projections-taken-in-the-constructor",  # side by side in one matrix, or in slices for each head
    "causal-mask-kept-from-the-first-call",
    "query-matrix-scaled-in-place",
)

OPTIONS: dict[str, dict[str, Any]] = {
    "fill": _FILL,
    "matrices": _MATRICES,
    "product": _PRODUCT,
    "split": _SPLIT,
    "compare": _COMPARE,
    "scale": _SCALE,
    "default": {"causal": True, "causal-off-by-default": False},
    "causal": _CAUSAL,
    "triangle": _TRIANGLE,
    "mask": _MASK,
    "softmax": _SOFTMAX,
    "values": _VALUES,
    "merge": _MERGE,
    "output": _OUTPUT,
    "result": _RESULT,
    "kept": {option: option for option in _KEPT},
    "refuses": _REFUSES,
    "count": _COUNT,
}
