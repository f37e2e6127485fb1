import numpy as np


def project_heads(heads, w_o):
    num_heads, seq_len, d_v = heads.shape
    out = np.zeros((seq_len, w_o.shape[1]))
    row = 0
    for head in heads:
        out += head.dot(w_o[row : row + d_v, :])
        row += d_v
    return out
