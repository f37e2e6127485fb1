"""Reference for 05_output_projection."""

import numpy as np


def project_heads(heads: np.ndarray, w_o: np.ndarray) -> np.ndarray:
    """Heads side by side, times W^O: (h, L, d_v), (h * d_v, d_model) -> (L, d_model)."""
    h, L, d_v = heads.shape
    joined = heads.transpose(1, 0, 2).reshape(L, h * d_v)  # (L, h * d_v)
    return joined @ w_o  # (L, d_model)
