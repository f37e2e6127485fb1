"""Holds a NUL byte: @@NUL@@."""
# verdict: invalid
# points: none
# says: sandbox.nul
import numpy as np


def concat_heads(heads):
    return np.concatenate(list(heads), axis=1)
