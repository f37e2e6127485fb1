"""Exercise 02: compare every query with every key."""

import numpy as np


def scaled_scores(q: np.ndarray, k: np.ndarray) -> np.ndarray:
    """Scores of all queries for all keys, head by head: (h, L, d_k), (h, S, d_k) -> (h, L, S).

    Args:
        q: queries, shape (h, L, d_k); q[i, t] is what head i looks for at position t.
        k: keys, shape (h, S, d_k); k[i, s] is what head i finds at position s. S may differ from L.

    Returns:
        Array of shape (h, L, S). Entry [i, t, s] is the dot product of q[i, t] and k[i, s], divided by the root of d_k.
    """
    # TODO: write this function.
    raise NotImplementedError
