import numpy as np


def project_heads(heads, w_o):
    h, _, d_v = heads.shape
    return np.tensordot(heads, w_o.reshape((h, d_v, w_o.shape[1])), axes=([0, 2], [0, 1]))
