import numpy as np


def causal_allowed(length):
    return np.tril(np.ones((length, length), dtype=bool))


def masked_softmax(scores, allowed=None):
    if allowed is not None:
        scores = np.where(allowed, scores, -1e9)
    e = np.exp(scores - scores.max(axis=-2, keepdims=True))
    return e / e.sum(axis=-2, keepdims=True)
