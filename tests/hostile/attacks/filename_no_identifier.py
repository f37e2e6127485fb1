"""Lies in a file whose name is no name for a module; the answers are right."""
# verdict: accepted
# points: all
# file: 3 my answer-1 (copy).py
import numpy as np


def concat_heads(heads):
    return np.concatenate(list(heads), axis=1)
