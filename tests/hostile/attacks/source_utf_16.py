"""Is saved as UTF-16, as some editors call Unicode."""
# verdict: invalid
# points: none
# says: sandbox.encoding
# bytes: utf-16
import numpy as np


def concat_heads(heads):
    return np.concatenate(list(heads), axis=1)
