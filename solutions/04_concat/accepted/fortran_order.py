import numpy as np


def concat_heads(heads):
    # (L, d_v, h): in Fortran order the features run fastest, then the heads
    features_first = np.moveaxis(heads, 0, -1)
    return features_first.reshape(heads.shape[1], -1, order="F")
