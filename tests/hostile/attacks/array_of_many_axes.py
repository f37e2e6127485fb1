"""Returns arrays of as many axes as numpy has, and of axes that cannot be shown side by side."""
# verdict: wrong
# points: none
import numpy as np


def concat_heads(heads):
    return np.zeros((1,) * (heads.size % 33)) if heads.size % 2 else np.zeros((1, 100_000))
