import numpy as np


def scaled_scores(q, k):
    q = np.array(q, dtype=np.float64)  # a copy
    q /= np.sqrt(q.shape[-1])
    return np.matmul(q, np.moveaxis(k, 1, 2))
