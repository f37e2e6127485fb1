import numpy as np


def split_heads(x, num_heads):
    L, d_model = x.shape
    if num_heads < 1:
        raise ValueError("num_heads=" + str(num_heads) + " is below 1, d_model=" + str(d_model))
    if d_model % num_heads:
        raise ValueError("d_model=" + str(d_model) + " is not divisible by num_heads=" + str(num_heads))
    width = d_model // num_heads
    heads = np.zeros((num_heads, L, width))
    start = 0
    for i in range(num_heads):
        heads[i] = x[:, start : start + width]
        start += width
    return heads
