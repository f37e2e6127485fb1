"""Cosine of the angle times both lengths, in units of the root of d_k."""

import numpy as np


def scaled_scores(q, k):
    d_k = k.shape[-1]

    def length(x):
        return np.maximum(np.sqrt((x * x).sum(axis=-1, keepdims=True)), 1e-300)

    cosine = (q / length(q)) @ (k / length(k)).transpose(0, 2, 1)
    return cosine * length(q) * length(k).transpose(0, 2, 1) / np.sqrt(d_k)
