import numpy as np


def concat_heads(heads):
    result = heads[0]
    for head in heads[1:]:
        result = np.append(result, head, axis=1)
    return result
