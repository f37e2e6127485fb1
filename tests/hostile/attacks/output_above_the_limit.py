"""Prints three megabytes at once and answers right; too much output is told as such."""
# verdict: output_limit
# points: none
# says: sandbox.output_limit
import numpy as np


def concat_heads(heads):
    print("x" * 3 * 2**20)
    return np.concatenate(list(heads), axis=1)
