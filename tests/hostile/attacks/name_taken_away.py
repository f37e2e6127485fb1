"""Binds the function's name to None on its last line."""
# verdict: invalid
# points: none
# says: sandbox.missing_name
import numpy as np


def concat_heads(heads):
    return np.concatenate(list(heads), axis=1)


concat_heads = None
