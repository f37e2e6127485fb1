"""Exercise 05: mix the heads with the output projection."""

import numpy as np


def project_heads(heads: np.ndarray, w_o: np.ndarray) -> np.ndarray:
    """Joins the heads and multiplies them by W^O: (h, L, d_v), (h * d_v, d_model) -> (L, d_model).

    Args:
        heads: shape (h, L, d_v); heads[i, t] is what head i has to say about position t.
        w_o: the weights W^O, shape (h * d_v, d_model). Rows i * d_v up to (i + 1) * d_v belong to head i. The number
            of columns, d_model, may be any; it need not be h * d_v.

    Returns:
        Array of shape (L, d_model): the heads side by side, times W^O.
    """
    # TODO: write this function.
    raise NotImplementedError
