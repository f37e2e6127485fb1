import numpy as np

def concat_heads(heads)
    return np.concatenate(heads, axis=-1)
