"""Oracle of 02_scaled_scores: each score by the definition alone, with Python's own floats."""

import math

import numpy as np


def scaled_scores(q, k):
    """Entry [i, t, s] is the sum over c of q[i, t, c] * k[i, s, c], divided by the root of d_k: -> (h, L, S)."""
    h, L, d_k = q.shape
    S = k.shape[1]
    scores = np.zeros((h, L, S))
    for i in range(h):
        for t in range(L):
            for s in range(S):
                products = [float(q[i, t, c]) * float(k[i, s, c]) for c in range(d_k)]
                scores[i, t, s] = math.fsum(products) / math.sqrt(d_k)
    return scores
