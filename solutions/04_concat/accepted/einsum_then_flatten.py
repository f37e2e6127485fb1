import numpy as np


def concat_heads(heads):
    h, t, d = heads.shape
    return np.einsum("htd->thd", heads).reshape((t, -1))
