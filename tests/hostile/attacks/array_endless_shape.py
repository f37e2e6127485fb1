"""Returns arrays whose shapes overflow a product: huge axes beside an axis of length zero, and strides of zero."""
# verdict: wrong
# points: none
import numpy as np
from numpy.lib.stride_tricks import as_strided


def concat_heads(heads):
    if heads.shape[0] % 2:
        return as_strided(np.zeros(1), shape=(2**30, 2**29), strides=(0, 0))
    return np.empty((2**40, 0, 2**20))
