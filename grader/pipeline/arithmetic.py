"""The steps of multi-head attention in plain numpy, one function each: what a page sets beside a student's values."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def split(full: Array, num_heads: int) -> Array:
    """(L, d_model) -> (h, L, d_k): head i gets columns i * d_k to (i + 1) * d_k."""
    length, d_model = full.shape
    return full.reshape(length, num_heads, d_model // num_heads).transpose(1, 0, 2)


def scores(q: Array, k: Array) -> Array:
    """(h, L, d_k), (h, L, d_k) -> (h, L, L): dot products, not yet scaled."""
    with np.errstate(all="ignore"):
        return np.asarray(q @ k.swapaxes(-1, -2))


def scale(found: Array, d_k: int) -> Array:
    """(h, L, L) -> (h, L, L): divided by the root of d_k."""
    return np.asarray(found / np.sqrt(d_k))


def allowed(length: int, *, causal: bool) -> Array:
    """(L, L), True where a query may attend: to itself and what came before, or to everything."""
    everything = np.ones((length, length), dtype=bool)
    return np.tril(everything) if causal else everything


def mask(scaled: Array, may: Array) -> Array:
    """(h, L, L), (L, L) -> (h, L, L): minus infinity where a query may not attend."""
    return np.where(may, scaled, -np.inf)


def softmax(masked: Array) -> Array:
    """(h, L, L) -> (h, L, L): each row sums to 1; NaN in a row where everything is blocked."""
    with np.errstate(all="ignore"):
        powers = np.exp(masked - masked.max(axis=-1, keepdims=True))
        return np.asarray(powers / powers.sum(axis=-1, keepdims=True))


def weigh(weights: Array, v: Array) -> Array:
    """(h, L, L), (h, L, d_k) -> (h, L, d_k): the values, as much of each as its weight says."""
    with np.errstate(all="ignore"):
        return np.asarray(weights @ v)


def concat(heads: Array) -> Array:
    """(h, L, d_k) -> (L, h * d_k): the heads side by side."""
    h, length, d_k = heads.shape
    return heads.transpose(1, 0, 2).reshape(length, h * d_k)


def output(joined: Array, w_o: Array) -> Array:
    """(L, d_model), (d_model, d_model) -> (L, d_model): every head heard in every number."""
    with np.errstate(all="ignore"):
        return np.asarray(joined @ w_o)
