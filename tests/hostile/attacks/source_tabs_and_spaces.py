"""Indents one line with a tab and the next with eight spaces."""
# verdict: invalid
# points: none
# says: sandbox.indent_tabs
import numpy as np


def concat_heads(heads):
	parts = list(heads)
        return np.concatenate(parts, axis=1)
