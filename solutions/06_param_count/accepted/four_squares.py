def head_dim(d_model, num_heads):
    if num_heads <= 0 or d_model % num_heads:
        raise ValueError("cannot split %d features over %d heads" % (d_model, num_heads))
    return d_model // num_heads


def count_naive(d_model, num_heads):
    return 3 * num_heads * d_model**2


def count_multi_head(d_model, num_heads, bias=False):
    return 4 * d_model * (d_model + bias)
