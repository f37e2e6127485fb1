import numpy as np


def split_heads(x, num_heads):
    d_model = len(x[0])
    if num_heads < 1 or d_model % num_heads != 0:
        raise ValueError("d_model = {} and num_heads = {} do not fit".format(d_model, num_heads))
    d_k = int(d_model / num_heads)
    heads = []
    for i in range(num_heads):
        head = []
        for row in x:
            head.append([row[i * d_k + c] for c in range(d_k)])
        heads.append(head)
    return np.array(heads)
