import numpy as np


class DoesNotFit(ValueError):
    pass


def split_heads(x, num_heads):
    d_model = x.shape[1]
    if num_heads < 1 or d_model // num_heads * num_heads != d_model:
        raise DoesNotFit(d_model, num_heads)
    owned = np.arange(d_model).reshape(num_heads, -1)  # row i: the columns of head i
    return np.moveaxis(x[:, owned], 1, 0)
