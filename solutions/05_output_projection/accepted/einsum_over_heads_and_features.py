import numpy as np


def project_heads(heads, w_o):
    h, seq_len, d_v = heads.shape
    blocks = w_o.reshape(h, d_v, -1)
    return np.einsum("htd,hdm->tm", heads, blocks)
