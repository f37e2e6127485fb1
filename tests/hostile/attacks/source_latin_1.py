"""Holds an é in Latin-1 and does not say so."""
# verdict: invalid
# points: none
# says: sandbox.encoding
# bytes: latin-1
import numpy as np


def concat_heads(heads):
    return np.concatenate(list(heads), axis=1)
