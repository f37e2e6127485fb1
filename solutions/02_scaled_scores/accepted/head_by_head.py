import math

import numpy as np


def scaled_scores(q, k):
    d_k = q.shape[2]
    scores = []
    for q_i, k_i in zip(q, k):
        scores.append(q_i @ k_i.T / math.sqrt(d_k))
    return np.stack(scores)
