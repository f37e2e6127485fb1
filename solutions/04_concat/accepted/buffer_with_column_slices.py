import numpy as np


def concat_heads(heads):
    num_heads, seq_len, d_v = heads.shape
    out = np.zeros((seq_len, num_heads * d_v))
    for i in range(num_heads):
        start = i * d_v
        out[:, start : start + d_v] = heads[i]
    return out
