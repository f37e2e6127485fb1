"""Calls sys.exit(0) at module level."""
# verdict: crashed
# points: none
# says: sandbox.exited_loading
import sys

import numpy as np


def concat_heads(heads):
    return np.concatenate(list(heads), axis=1)


sys.exit(0)
