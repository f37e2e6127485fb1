import numpy as np


def causal_allowed(length):
    i, j = np.indices((length, length))
    return j < i + 1


def masked_softmax(scores, allowed=None):
    x = scores if allowed is None else np.where(allowed, scores, -np.inf)
    log_total = np.logaddexp.reduce(x.astype(float), axis=-1, keepdims=True)
    return np.exp(x - log_total)
