import numpy as np


def scaled_scores(q, k):
    pairs = q[:, :, None, :] * k[:, None, :, :]  # (h, L, S, d_k)
    return pairs.sum(axis=-1) / np.sqrt(pairs.shape[-1])
