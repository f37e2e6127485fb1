import numpy as np


def scaled_scores(q, k):
    # K Q^T has a row for each key; turned, a row for each query
    kq = k @ q.swapaxes(1, 2)  # (h, S, L)
    return (kq / np.sqrt(k.shape[-1])).swapaxes(1, 2)
