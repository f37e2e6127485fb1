import numpy as np


def concat_heads(heads):
    print("heads", heads.shape)
    np.concatenate(list(heads), axis=-1)
