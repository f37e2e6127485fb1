import numpy as np


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads <= 0:
        raise ValueError(f"num_heads must be positive, got {num_heads} (d_model is {d_model})")
    d_k, rest = divmod(d_model, num_heads)
    if rest:
        raise ValueError(f"{d_model} columns for {num_heads} heads: {rest} left over")
    return np.stack([x[:, i * d_k : (i + 1) * d_k] for i in range(num_heads)], axis=0)
