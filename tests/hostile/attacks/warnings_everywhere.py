"""Warns on every call and writes to standard error; the answers are right and a warning costs nothing."""
# verdict: accepted
# points: all
import sys
import warnings

import numpy as np

warnings.simplefilter("always")


def concat_heads(heads):
    warnings.warn("this is deprecated", DeprecationWarning, stacklevel=1)
    print("a line on standard error", file=sys.stderr)
    return np.concatenate(list(heads), axis=1)
