"""Exercise 04: put the outputs of all heads side by side."""

import numpy as np


def concat_heads(heads: np.ndarray) -> np.ndarray:
    """Joins the outputs of all heads into one row for each position: (h, L, d_v) -> (L, h * d_v).

    Args:
        heads: shape (h, L, d_v); heads[i, t] is what head i has to say about position t.

    Returns:
        Array of shape (L, d_model), d_model = h * d_v. Head i fills the columns from i * d_v up to (i + 1) * d_v.
    """
    # TODO: write this function.
    raise NotImplementedError
