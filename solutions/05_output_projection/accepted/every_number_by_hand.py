import numpy as np


def project_heads(heads, w_o):
    h, L, d_v = heads.shape
    result = []
    for t in range(L):
        row = []
        for m in range(w_o.shape[1]):
            total = 0
            for i in range(h):
                for c in range(d_v):
                    total = total + heads[i, t, c] * w_o[i * d_v + c, m]
            row.append(total)
        result.append(row)
    return np.array(result)
