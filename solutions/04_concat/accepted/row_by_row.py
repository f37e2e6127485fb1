import numpy as np


def concat_heads(heads):
    # a row = everything the heads say about one position
    return np.stack([heads[:, t, :].ravel() for t in range(heads.shape[1])])
