"""Reference for 04_concat."""

import numpy as np


def concat_heads(heads: np.ndarray) -> np.ndarray:
    """Heads side by side: (h, L, d_v) -> (L, h * d_v), head i in columns i * d_v to (i + 1) * d_v."""
    h, L, d_v = heads.shape
    by_position = heads.transpose(1, 0, 2)  # (L, h, d_v)
    return by_position.reshape(L, h * d_v)  # (L, d_model)
