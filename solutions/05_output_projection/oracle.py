"""Oracle of 05_output_projection: every number by the definition alone, a sum over heads and features."""

import math

import numpy as np


def project_heads(heads, w_o):
    """Entry [t, m] is the sum over i and c of heads[i, t, c] * w_o[i * d_v + c, m]: -> (L, d_model)."""
    h, L, d_v = heads.shape
    d_model = w_o.shape[1]
    result = np.zeros((L, d_model))
    for t in range(L):
        for m in range(d_model):
            products = [float(heads[i, t, c]) * float(w_o[i * d_v + c, m]) for i in range(h) for c in range(d_v)]
            result[t, m] = math.fsum(products)
    return result
