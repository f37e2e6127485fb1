import numpy as np


def causal_allowed(length):
    return np.tri(length, dtype=bool)


def masked_softmax(scores, allowed=None):
    # work on K Q^T: keys down, queries across; softmax down the columns, then turn back
    s = np.swapaxes(scores, -1, -2)  # (h, S, L)
    if allowed is not None:
        s = np.where(np.swapaxes(allowed, -1, -2), s, -1e30)
    e = np.exp(s - s.max(axis=-2, keepdims=True))
    w = e / e.sum(axis=-2, keepdims=True)
    return np.swapaxes(w, -1, -2)  # (h, L, S)
