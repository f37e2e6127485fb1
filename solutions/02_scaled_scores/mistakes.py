"""Mistake models of 02_scaled_scores: the reference with one switch, the inputs it is asked with, how to show them.

    build(scale="none").scaled_scores(q, k)      behaves as a student who forgets √d_k

Two habits that are one and the same function share one slug; a comment says which.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np

Array = np.ndarray
Probe = dict[str, Array]

CALL = "scaled_scores(q, k)"
AXES = {"q": "h L d_k", "k": "h S d_k", "result": "h L S"}


# --- the ways to compare -----------------------------------------------------------------------------------------


def _product(q: Array, k: Array) -> Array:
    """The right one: (h, L, d_k) @ (h, d_k, S) -> (h, L, S)."""
    return q @ k.swapaxes(-1, -2)


def _one_position(q: Array, k: Array) -> Array:
    """Heads and positions change places first: (L, h, d_k) @ (S, d_k, h) -> (L, h, h), ValueError unless L = S."""
    return q.transpose(1, 0, 2) @ k.transpose(1, 2, 0)


def _as_many_keys_as_queries(q: Array, k: Array) -> Array:
    h, L, _ = q.shape
    products = np.zeros((h, L, L))
    for i in range(h):
        for t in range(L):
            for s in range(L):
                products[i, t, s] = q[i, t] @ k[i, s]  # IndexError where S < L
    return products


def _loop_to_as_many_keys_as_queries(q: Array, k: Array) -> Array:
    h, L, _ = q.shape
    products = np.zeros((h, L, k.shape[1]))
    for s in range(L):
        products[:, :, s] = (q @ k[:, s, :, None])[..., 0]  # IndexError where S < L
    return products


_COMPARE: dict[str, Callable[[Array, Array], Any]] = {
    "each-query-with-each-key": _product,
    "k-reversed": lambda q, k: q @ k.T,  # ValueError for nearly all sizes
    "k-as-it-is": lambda q, k: q @ k,  # ValueError unless S = d_k
    "k-reshaped": lambda q, k: q @ k.reshape(k.shape[0], k.shape[2], k.shape[1]),
    "two-axes-transposed": lambda q, k: q @ k.transpose(-2, -1),  # torch's transpose: ValueError in numpy
    "keys-by-queries": lambda q, k: k @ q.swapaxes(-1, -2),  # (h, S, L)
    "one-position": _one_position,
    "own-key-only": lambda q, k: (q * k).sum(axis=-1),  # (h, L), ValueError unless L = S; einsum "hld,hld->hl" too
    "dot": lambda q, k: np.dot(q, k.swapaxes(-1, -2)),  # (h, L, h, S); np.inner and np.tensordot over d_k too
    "summed-over-heads": lambda q, k: np.einsum("hld,hsd->ls", q, k),  # (L, S); also of heads that were joined
    "keys-of-head-0": lambda q, k: q @ k[0].T,
    "as-many-keys-as-queries": _as_many_keys_as_queries,
    "keys-looped-over-to-L": _loop_to_as_many_keys_as_queries,
    "last-feature": lambda q, k: q[..., -1:] @ k[..., -1:].swapaxes(-1, -2),  # = in place of += in the innermost loop
    "first-head": lambda q, k: q[0] @ k[0].T,  # (L, S): the return stands inside the loop
    "last-head": lambda q, k: q[-1] @ k[-1].T,  # (L, S): the variable is overwritten in the loop
}


# --- the ways to scale -------------------------------------------------------------------------------------------

Compare = Callable[[Array, Array], Any]


def _divide(number: Callable[[Array, Array], float]) -> Callable[[Compare, Array, Array], Any]:
    """Divide the products by `number(q, k)`."""
    return lambda compare, q, k: compare(q, k) / number(q, k)


def _root_of_everything(compare: Compare, q: Array, k: Array) -> Any:
    with np.errstate(invalid="ignore"):
        return np.sqrt(compare(q, k) / q.shape[-1])  # NaN for products below 0


def _queries_in_place(compare: Compare, q: Array, k: Array) -> Any:
    q /= np.sqrt(q.shape[-1])  # the caller's array; TypeError for whole numbers
    return compare(q, k)


def _products_in_place(compare: Compare, q: Array, k: Array) -> Any:
    products = compare(q, k)
    products /= np.sqrt(q.shape[-1])  # TypeError for whole numbers
    return products


_SCALE: dict[str, Callable[[Compare, Array, Array], Any]] = {
    "root-of-d_k": _divide(lambda q, _k: np.sqrt(q.shape[-1])),
    "none": lambda compare, q, k: compare(q, k),
    "root-of-d_model": _divide(lambda q, _k: np.sqrt(q.shape[0] * q.shape[-1])),
    "d_k": _divide(lambda q, _k: q.shape[-1]),  # also the root twice, on q and on k, and a mean in place of the sum
    "times-root": lambda compare, q, k: compare(q, k) * np.sqrt(q.shape[-1]),  # also divided by d_k**-0.5
    "power-without-brackets": lambda compare, q, k: compare(q, k) / q.shape[-1] ** 1 / 2,
    "half-of-d_k": _divide(lambda q, _k: q.shape[-1] ** 1 / 2),  # the power stands in a line of its own
    "root-of-L": _divide(lambda q, _k: np.sqrt(q.shape[1])),
    "root-of-S": _divide(lambda _q, k: np.sqrt(k.shape[1])),  # also the last axis of the products
    "root-of-h": _divide(lambda q, _k: np.sqrt(q.shape[0])),
    "root-of-the-example": _divide(lambda _q, _k: np.sqrt(3)),
    "8": _divide(lambda _q, _k: 8),  # the root of the paper's d_k, which is 64; also 0.125
    "whole-root": _divide(lambda q, _k: int(np.sqrt(q.shape[-1]))),  # also math.isqrt
    "root-of-everything": _root_of_everything,
    "floor": lambda compare, q, k: compare(q, k) // np.sqrt(q.shape[-1]),
    "queries-in-place": _queries_in_place,
    "products-in-place": _products_in_place,
    "after-softmax": lambda compare, q, k: _softmax(compare(q, k)) / np.sqrt(q.shape[-1]),
}


# --- what goes out -----------------------------------------------------------------------------------------------


def _softmax(scores: Array) -> Array:
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def _like_q(scores: Array, q: Array) -> Array:
    out = np.zeros(scores.shape, dtype=q.dtype)
    out[:] = scores  # in whole numbers the fractions are cut off
    return out


_FINISH: dict[str, Callable[[Any, Array], Any]] = {
    "as-they-are": lambda scores, _q: scores,
    "softmax": lambda scores, _q: _softmax(scores),
    "dtype-of-q": _like_q,  # a buffer filled in a loop; also astype(q.dtype)
    "squeeze": lambda scores, _q: scores.squeeze(),
    "list": lambda scores, _q: list(scores),  # append in a loop over the heads
}

STAGES = {"compare": tuple(_COMPARE), "scale": tuple(_SCALE), "finish": tuple(_FINISH)}

MISTAKES = {
    "scores-not-scaled": ("scale", "none"),
    "scaled-by-the-root-of-d-model": ("scale", "root-of-d_model"),
    "scaled-without-the-root": ("scale", "d_k"),
    "multiplied-by-the-root": ("scale", "times-root"),
    "half-power-without-brackets": ("scale", "power-without-brackets"),
    "divided-by-half-of-d-k": ("scale", "half-of-d_k"),
    "scaled-by-the-count-of-queries": ("scale", "root-of-L"),
    "scaled-by-the-count-of-keys": ("scale", "root-of-S"),
    "scaled-by-the-count-of-heads": ("scale", "root-of-h"),
    "scale-of-the-example": ("scale", "root-of-the-example"),
    "scale-of-the-paper": ("scale", "8"),
    "root-cut-to-a-whole-number": ("scale", "whole-root"),
    "root-of-the-whole-fraction": ("scale", "root-of-everything"),
    "scores-rounded-down": ("scale", "floor"),
    "queries-scaled-in-place": ("scale", "queries-in-place"),
    "whole-numbers-divided-in-place": ("scale", "products-in-place"),
    "scaled-after-the-softmax": ("scale", "after-softmax"),
    "keys-reversed-on-all-axes": ("compare", "k-reversed"),
    "keys-not-transposed": ("compare", "k-as-it-is"),
    "keys-reshaped-not-transposed": ("compare", "k-reshaped"),
    "transpose-of-two-axes-in-torch-style": ("compare", "two-axes-transposed"),
    "scores-with-keys-as-rows": ("compare", "keys-by-queries"),
    "heads-of-one-position-compared": ("compare", "one-position"),
    "each-query-with-its-own-key-only": ("compare", "own-key-only"),
    "dot-crosses-the-heads": ("compare", "dot"),
    "scores-summed-over-heads": ("compare", "summed-over-heads"),
    "keys-of-one-head-for-all": ("compare", "keys-of-head-0"),
    "as-many-keys-as-queries": ("compare", "as-many-keys-as-queries"),
    "keys-beyond-the-queries-left-at-zero": ("compare", "keys-looped-over-to-L"),
    "only-the-last-feature-counts": ("compare", "last-feature"),
    "only-the-first-head": ("compare", "first-head"),
    "only-the-last-head": ("compare", "last-head"),
    "softmax-already-applied": ("finish", "softmax"),
    "fractions-lost-in-the-dtype-of-q": ("finish", "dtype-of-q"),
    "axes-of-length-one-dropped": ("finish", "squeeze"),
    "list-in-place-of-an-array": ("finish", "list"),
}


def build(
    *, compare: str = "each-query-with-each-key", scale: str = "root-of-d_k", finish: str = "as-they-are"
) -> SimpleNamespace:
    """The reference with the named options; `build()` is right everywhere."""
    compared, scaled, finished = _COMPARE[compare], _SCALE[scale], _FINISH[finish]

    def scaled_scores(q: Array, k: Array) -> Any:
        return finished(scaled(compared, q, k), q)

    return SimpleNamespace(scaled_scores=scaled_scores)


# --- what is asked -----------------------------------------------------------------------------------------------

_UNLIKE = ((3, 5, 7, 6), (2, 7, 4, 5), (4, 2, 6, 3), (5, 3, 4, 2))  # h, L, S, d_k: pairwise different
_SELF = ((2, 3, 3, 5), (4, 3, 3, 6), (3, 5, 5, 2), (2, 5, 5, 7), (5, 4, 4, 3), (3, 2, 2, 8), (2, 6, 6, 3))
_SQUARE = ((3, 2, 5, 5), (2, 4, 7, 7), (3, 1, 3, 3))  # where S = d_k, and h too, more orders of the axes of k multiply
_OF_ONE = ((1, 3, 3, 5), (3, 1, 4, 2), (2, 5, 1, 3))
_WHOLE = ((3, 4, 7, 5), (2, 5, 5, 6), (6, 2, 6, 6))


def observe(subject: Any, probe: Probe) -> Any:
    """The answer to one call."""
    return subject.scaled_scores(probe["q"], probe["k"])


def probes() -> list[Probe]:
    """Inputs that tell all mistakes apart: random numbers, in the last three whole ones; L = S in many of them."""
    sizes = (*_UNLIKE, *_SELF, *_SQUARE, *_OF_ONE)
    return [
        *(_random(np.random.default_rng(i), *size) for i, size in enumerate(sizes)),
        *(_whole(np.random.default_rng(100 + i), *size) for i, size in enumerate(_WHOLE)),
    ]


def fresh_probe(rng: np.random.Generator) -> Probe:
    """One more input of those kinds; one in three is of whole numbers."""
    h, L, S, d_k = (int(size) for size in 2 + rng.permutation(6)[:4])
    kind = int(rng.integers(6))
    if kind < 3:
        S = L
    elif kind == 3:
        h, S = [(h, d_k), (d_k, d_k)][rng.integers(2)]
    elif kind == 4:
        of_one = [(1, L, S), (h, 1, S), (h, L, 1), (1, L, L), (h, 1, d_k), (d_k, 1, d_k)]
        h, L, S = of_one[rng.integers(len(of_one))]
    return (_whole if rng.random() < 1 / 3 else _random)(rng, h, L, S, d_k)


def _random(rng: np.random.Generator, h: int, L: int, S: int, d_k: int) -> Probe:
    return {"q": rng.standard_normal((h, L, d_k)), "k": rng.standard_normal((h, S, d_k))}


def _whole(rng: np.random.Generator, h: int, L: int, S: int, d_k: int) -> Probe:
    return {"q": rng.integers(-3, 4, (h, L, d_k)), "k": rng.integers(-3, 4, (h, S, d_k))}


def small_probes() -> Iterator[Probe]:
    """Inputs from small to large: q holds 1, 2, 3, …, k holds 1, -1, 2, -2, …; a single key comes late."""
    sizes = [
        (h, L, S, d_k)
        for h in range(1, 4)
        for L in range(1, 4)
        for S in range(1, 4)
        for d_k in range(2, 4)
        if h * (L + S) * d_k <= 24
    ]
    for h, L, S, d_k in sorted(sizes, key=lambda size: (size[2] == 1, size[0] * (size[1] + size[2]) * size[3], size)):
        q = np.arange(1, h * L * d_k + 1).reshape(h, L, d_k)
        steps = np.arange(h * S * d_k)
        k = ((steps // 2 + 1) * (-1) ** steps).reshape(h, S, d_k)
        yield {"q": q, "k": k}
