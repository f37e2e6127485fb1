import numpy as np


class WidthError(ValueError):
    pass


def head_dim(d_model, num_heads):
    if num_heads < 1 or d_model / num_heads != int(d_model / num_heads):
        raise WidthError("num_heads = " + str(num_heads) + " does not fit d_model = " + str(d_model))
    return int(d_model / num_heads)


def count_naive(d_model, num_heads):
    one = np.broadcast_to(0.0, (3, d_model, d_model))  # W_q, W_k, W_v, without their memory
    return num_heads * one.size


def count_multi_head(d_model, num_heads, bias=False):
    weights = {name: np.broadcast_to(0.0, (d_model, d_model)) for name in ("w_q", "w_k", "w_v", "w_o")}
    if bias:
        weights |= {name: np.zeros(d_model) for name in ("b_q", "b_k", "b_v", "b_o")}
    return sum(w.size for w in weights.values())
