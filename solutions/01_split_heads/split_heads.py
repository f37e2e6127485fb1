"""Reference for 01_split_heads."""

import numpy as np


def split_heads(x: np.ndarray, num_heads: int) -> np.ndarray:
    """Columns into heads: (L, d_model) -> (h, L, d_k), columns i * d_k to (i + 1) * d_k into head i."""
    L, d_model = x.shape
    if num_heads < 1 or d_model % num_heads != 0:
        raise ValueError(f"d_model = {d_model} cannot be split into num_heads = {num_heads} heads of equal width")
    by_position = x.reshape(L, num_heads, d_model // num_heads)  # (L, h, d_k)
    return by_position.transpose(1, 0, 2)  # (h, L, d_k)
