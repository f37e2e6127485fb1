"""The mask multiplies exp, after the maximum was taken over the allowed keys only; then the rows are divided."""

import numpy as np


def causal_allowed(length: int) -> np.ndarray:
    return ~np.triu(np.ones((length, length), dtype=bool), k=1)


def masked_softmax(scores: np.ndarray, allowed: np.ndarray | None = None) -> np.ndarray:
    if allowed is None:
        allowed = np.ones(scores.shape, dtype=bool)
    allowed = np.broadcast_to(allowed, scores.shape)
    peak = np.max(scores.astype(float), axis=-1, keepdims=True, where=allowed, initial=-np.inf)
    powers = np.exp(np.minimum(scores - peak, 0.0)) * allowed
    return powers / powers.sum(axis=-1, keepdims=True)
