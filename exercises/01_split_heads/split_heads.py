"""Exercise 01: cut the numbers of every position into heads."""

import numpy as np


def split_heads(x: np.ndarray, num_heads: int) -> np.ndarray:
    """Cuts the columns into heads: (L, d_model) -> (h, L, d_k).

    Args:
        x: shape (L, d_model); x[t] holds the numbers of position t for all heads.
        num_heads: h, the number of heads.

    Returns:
        Array of shape (h, L, d_k), d_k = d_model / h. Head i holds the columns from i * d_k up to (i + 1) * d_k.

    Raises:
        ValueError: d_model is not divisible by num_heads, or num_heads is below 1; the text names both numbers.
    """
    # TODO: write this function.
    raise NotImplementedError
