"""Returns arrays of sixty megabytes, again and again, so that reading, comparing and showing them takes long."""
# verdict: time_limit | wrong
# points: none
import numpy as np

LARGE = np.zeros((3, 20 * 2**20 // 8))


def concat_heads(heads):
    return LARGE
