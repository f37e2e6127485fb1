import math

import numpy as np


def causal_allowed(length):
    return np.array([[j <= i for j in range(length)] for i in range(length)])


def masked_softmax(scores, allowed=None):
    """Row by row, over the keys that are left."""
    weights = np.zeros(scores.shape, dtype=float)
    heads, queries, keys = scores.shape
    for i in range(heads):
        for t in range(queries):
            if allowed is None:
                seen = list(range(keys))
            else:
                row = allowed[t] if allowed.ndim == 2 else allowed[i, t]
                seen = [s for s in range(keys) if row[s]]
            top = max(scores[i, t, s] for s in seen)
            total = sum(math.exp(scores[i, t, s] - top) for s in seen)
            for s in seen:
                weights[i, t, s] = math.exp(scores[i, t, s] - top) / total
    return weights
