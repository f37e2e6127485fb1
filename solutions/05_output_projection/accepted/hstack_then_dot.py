import numpy as np


def project_heads(heads, w_o):
    return np.dot(np.hstack(list(heads)), w_o)
