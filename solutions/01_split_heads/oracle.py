"""Oracle of 01_split_heads: every number is fetched from its place by the definition alone, one at a time."""

import numpy as np


def split_heads(x, num_heads):
    """Entry [i, t, c] is column i * d_k + c of row t: (L, d_model) -> (h, L, d_k)."""
    L, d_model = len(x), len(x[0])
    widths = [d_k for d_k in range(1, d_model + 1) if d_k * num_heads == d_model]
    if not widths:
        raise ValueError(f"{d_model} columns make no {num_heads} heads")
    d_k = widths[0]
    heads = np.zeros((num_heads, L, d_k), dtype=x.dtype)
    for i in range(num_heads):
        for t in range(L):
            for c in range(d_k):
                heads[i, t, c] = x[t, i * d_k + c]
    return heads
