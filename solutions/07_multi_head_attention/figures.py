"""Figures of 07_multi_head_attention: the weights of both heads for the example of the task, “cat eats fish”."""

from typing import Any

import numpy as np

# head 0 before the gap, head 1 behind it; a row for each of the three words, and one that no word picks
_W_Q = np.array([[1, 1, 0, 0], [0, 2, 0, 2], [0, 0, 1, 1], [0, 0, 0, 0]], dtype=float)
_W_K = np.array([[1, 0, 1, 0], [0, 1, 0, 1], [1, 1, 0, 0], [0, 0, 0, 0]], dtype=float)
_W_V = np.array([[1, 0, 1, 0], [0, 1, 0, 1], [2, 0, 0, 2], [0, 0, 0, 0]], dtype=float)


def _weights(subject: Any, *, causal: bool) -> Any:
    layer = subject.make("MultiHeadAttention", 4, 2)
    layer.set(w_q=_W_Q, w_k=_W_K, w_v=_W_V, w_o=np.eye(4))
    _out, weights = layer.call("forward", np.eye(3, 4), causal=causal)
    return weights  # (h, L, L)


def masked(subject: Any) -> Any:
    """Weights with the causal mask: (h, L, L)."""
    return _weights(subject, causal=True)


def unmasked(subject: Any) -> Any:
    """Weights without a mask: (h, L, L)."""
    return _weights(subject, causal=False)
