import numpy as np


def head_dim(d_model, num_heads):
    if num_heads < 1:
        raise ValueError(f"need at least 1 head, got {num_heads} (d_model {d_model})")
    widths = [part.size for part in np.array_split(np.arange(d_model), num_heads)]
    if len(set(widths)) > 1 or widths[0] == 0:
        raise ValueError(f"{d_model} features, {num_heads} heads: widths would be {widths[0]} and {widths[-1]}")
    return np.int64(widths[0])


def count_naive(d_model, num_heads):
    return np.prod([num_heads, 3, d_model, d_model])


def count_multi_head(d_model, num_heads, bias=False):
    d_k = head_dim(d_model, num_heads)
    per_head = np.array([d_model * d_k + bias * d_k] * 3)  # query, key, value
    return num_heads * per_head.sum() + np.square(d_model) + (d_model if bias else 0)
