from numpy.lib.stride_tricks import as_strided


def split_heads(x, num_heads):
    L, d_model = x.shape
    if num_heads not in [n for n in range(1, d_model + 1) if d_model % n == 0]:
        raise ValueError(f"num_heads {num_heads} is no divisor of d_model {d_model}")
    d_k = d_model // num_heads
    row, column = x.strides
    return as_strided(x, shape=(num_heads, L, d_k), strides=(d_k * column, row, column), writeable=False)
