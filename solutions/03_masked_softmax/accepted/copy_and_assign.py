import numpy as np


def causal_allowed(length):
    allowed = np.zeros((length, length), dtype=bool)
    for i in range(length):
        allowed[i, : i + 1] = True
    return allowed


def masked_softmax(scores, allowed=None):
    x = np.array(scores, dtype=np.float64)  # a copy
    if allowed is not None:
        if allowed.ndim == 2:
            x[:, ~allowed] = np.finfo(np.float64).min
        else:
            x[~allowed] = np.finfo(np.float64).min
    x -= x.max(axis=-1)[..., None]
    np.exp(x, out=x)
    x /= x.sum(axis=-1)[..., np.newaxis]
    return x
