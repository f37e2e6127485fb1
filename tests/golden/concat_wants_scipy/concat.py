import scipy


def concat_heads(heads):
    return scipy.concatenate(heads, axis=-1)
