"""Reference for 03_masked_softmax."""

import numpy as np


def causal_allowed(length: int) -> np.ndarray:
    """The causal mask: length -> (L, L) bool, True where key j is not after query i."""
    return np.tril(np.ones((length, length), dtype=bool))


def masked_softmax(scores: np.ndarray, allowed: np.ndarray | None = None) -> np.ndarray:
    """Softmax over the keys that are allowed: (h, L, S) -> (h, L, S)."""
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)  # exp(-inf) is exactly 0
    shifted = scores - scores.max(axis=-1, keepdims=True)  # no score above 0: exp cannot overflow
    powers = np.exp(shifted)
    return powers / powers.sum(axis=-1, keepdims=True)
