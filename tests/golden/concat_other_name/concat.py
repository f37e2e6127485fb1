import numpy as np


def concat_head(heads):
    return np.concatenate(list(heads), axis=-1)
