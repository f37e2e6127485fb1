import numpy as np


def concat_heads(heads):
    return np.hstack([head for head in heads])
