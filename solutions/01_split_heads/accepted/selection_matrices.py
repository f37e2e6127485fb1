import numpy as np


def split_heads(x, num_heads):
    _, d_model = x.shape
    if num_heads < 1 or d_model % num_heads > 0:
        raise ValueError(f"d_model={d_model}, num_heads={num_heads}: d_model / num_heads must be a whole number")
    eye = np.eye(d_model)
    # (h, d_model, d_k): matrix i picks the columns of head i
    pick = eye.reshape(d_model, num_heads, -1).swapaxes(0, 1)
    return np.einsum("tc,hcd->htd", x, pick)
