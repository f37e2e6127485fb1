"""Returns an ndarray subclass each of whose attributes runs for ever."""
# verdict: wrong
# points: none
import numpy as np


class Slow(np.ndarray):
    def __getattribute__(self, name):
        while True:
            pass


def concat_heads(heads):
    return np.zeros((heads.shape[1], heads.shape[0] * heads.shape[2])).view(Slow)
