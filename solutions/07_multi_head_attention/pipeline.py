"""Which exercise holds which step of the pipeline of 07_multi_head_attention, and how each is asked for it."""

from typing import Any

import numpy as np

FROM = {
    "split": "01_split_heads",
    "scale": "02_scaled_scores",
    "mask": "03_masked_softmax",
    "softmax": "03_masked_softmax",
    "concat": "04_concat",
    "output": "05_output_projection",
}


def split(subject: Any, full: np.ndarray, num_heads: int) -> Any:
    """(L, d_model) -> (h, L, d_k)."""
    return subject.split_heads(full, num_heads)


def scale(subject: Any, q: np.ndarray, k: np.ndarray) -> Any:
    """(h, L, d_k), (h, L, d_k) -> (h, L, L)."""
    return subject.scaled_scores(q, k)


def mask(subject: Any, length: int) -> Any:
    """L -> (L, L)."""
    return subject.causal_allowed(length)


def softmax(subject: Any, scores: np.ndarray, allowed: np.ndarray | None) -> Any:
    """(h, L, L), (L, L) -> (h, L, L)."""
    return subject.masked_softmax(scores, allowed)


def concat(subject: Any, heads: np.ndarray) -> Any:
    """(h, L, d_k) -> (L, d_model)."""
    return subject.concat_heads(heads)


def output(subject: Any, heads: np.ndarray, w_o: np.ndarray) -> Any:
    """(h, L, d_k), (d_model, d_model) -> (L, d_model)."""
    return subject.project_heads(heads, w_o)


def whole(subject: Any, x: np.ndarray, matrices: dict[str, np.ndarray], num_heads: int, *, causal: bool) -> Any:
    """All steps at once: (L, d_model) -> out, (L, d_model), and weights, (h, L, L)."""
    layer = subject.make("MultiHeadAttention", x.shape[1], num_heads)
    layer.set(**matrices)
    out, weights = layer.call("forward", x, causal=causal)
    return out, weights
