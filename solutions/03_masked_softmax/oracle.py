"""Oracle of 03_masked_softmax: each weight as 1 over a sum of ratios, so that no maximum has to be taken away."""

import math

import numpy as np

MOST = 700.0  # exp of more is infinite in float64; the weight is 0 long before


def causal_allowed(length):
    """Entry [i, j] is True where j is not after i: -> (L, L)."""
    allowed = np.zeros((length, length), dtype=bool)
    for i in range(length):
        for j in range(length):
            allowed[i, j] = not j > i
    return allowed


def masked_softmax(scores, allowed=None):
    """A weight is 1 / sum of exp(other score - own score) over the keys that are allowed: (h, L, S) -> (h, L, S)."""
    h, L, S = scores.shape
    weights = np.zeros((h, L, S))
    for i in range(h):
        for t in range(L):
            row = [float(score) for score in scores[i, t]]
            seen = [s for s in range(S) if allowed is None or np.broadcast_to(allowed, (h, L, S))[i, t, s]]
            for s in seen:
                weights[i, t, s] = 1.0 / math.fsum(math.exp(min(row[other] - row[s], MOST)) for other in seen)
    return weights
