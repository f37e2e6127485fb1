import numpy as np


def concat_heads(heads):
    rows = []
    for t in range(heads.shape[1]):
        row = []
        for i in range(heads.shape[0]):
            for c in range(heads.shape[2]):
                row.append(heads[i][t][c])
        rows.append(row)
    return np.array(rows)
