import numpy as np


def project_heads(heads, w_o):
    per_head = np.matmul(heads, np.stack(np.split(w_o, len(heads))))  # (h, L, d_model)
    return np.add.reduce(per_head)
