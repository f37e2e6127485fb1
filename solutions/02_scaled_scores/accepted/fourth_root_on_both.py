"""Half of the scale on each side, before the product."""

import numpy as np


def scaled_scores(q, k):
    root = q.shape[-1] ** 0.25
    return np.matmul(q / root, np.transpose(k / root, (0, 2, 1)))
