import numpy as np


def causal_allowed(length):
    positions = np.arange(length)
    return positions[:, None] >= positions[None, :]


def softmax(x):
    e = np.exp(x - np.max(x, axis=2, keepdims=True))
    return e / np.sum(e, axis=2, keepdims=True)


def masked_softmax(scores, allowed=None):
    if allowed is None:
        return softmax(scores)
    penalty = np.where(allowed, 0.0, -1e9)
    return softmax(scores + penalty)
