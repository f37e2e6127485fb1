"""Returns a real array of ten gigabytes."""
# verdict: memory_limit
# points: none
# says: sandbox.memory_limit
import numpy as np


def concat_heads(heads):
    return np.ones((heads.shape[1], 10 * 2**30 // 8 // heads.shape[1]))
