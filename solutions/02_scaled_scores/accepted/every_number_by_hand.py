import numpy as np


def scaled_scores(q, k):
    h, L, d = q.shape
    S = k.shape[1]
    out = np.empty((h, L, S))
    for i in range(h):
        for t in range(L):
            for s in range(S):
                total = 0.0
                for c in range(d):
                    total += q[i, t, c] * k[i, s, c]
                out[i, t, s] = total / d**0.5
    return out
