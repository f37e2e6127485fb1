"""Reference for 02_scaled_scores."""

import numpy as np


def scaled_scores(q: np.ndarray, k: np.ndarray) -> np.ndarray:
    """Dot products of all queries and keys, divided by the root of d_k: (h, L, d_k), (h, S, d_k) -> (h, L, S)."""
    d_k = q.shape[-1]
    keys_as_columns = k.swapaxes(-1, -2)  # (h, d_k, S)
    return q @ keys_as_columns / np.sqrt(d_k)  # (h, L, S)
