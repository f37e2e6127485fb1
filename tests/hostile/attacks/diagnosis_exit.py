"""Answers every check, wrongly, and ends the process once the search for its mistake begins."""
# verdict: partly
# points: as zeros
import os

import numpy as np

calls = []


def concat_heads(heads):
    calls.append(heads.shape)
    if len(calls) > 20:
        os._exit(0)
    return np.zeros((heads.shape[1], heads.shape[0] * heads.shape[2]))
