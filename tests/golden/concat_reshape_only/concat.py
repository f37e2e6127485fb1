import numpy as np


def concat_heads(heads):
    h, L, d_v = heads.shape
    return heads.reshape(L, h * d_v)


if __name__ == "__main__":
    print(concat_heads(np.zeros((2, 3, 4))).shape)
