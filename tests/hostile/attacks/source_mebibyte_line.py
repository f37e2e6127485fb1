"""Has one line of a mebibyte, a text; the answers are right."""
# verdict: accepted | refused
# points: any
import numpy as np

LETTERS = "@@LETTERS@@"


def concat_heads(heads):
    return np.concatenate(list(heads), axis=1)
