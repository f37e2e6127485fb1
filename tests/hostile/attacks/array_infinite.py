"""Returns infinity everywhere, so that every relative error is NaN."""
# verdict: wrong | partly
# points: as zeros
# says: checks.infinite
import numpy as np


def concat_heads(heads):
    return np.full((heads.shape[1], heads.shape[0] * heads.shape[2]), np.inf)
