"""Returns an ndarray subclass that answers every comparison and every numpy function with yes."""
# verdict: wrong
# points: none
# says: checks.no_array_detail
import numpy as np


class Lying(np.ndarray):
    def __array_ufunc__(self, *args, **kwargs):
        return np.bool_(True)

    def __array_function__(self, *args, **kwargs):
        return np.bool_(True)

    def __eq__(self, other):
        return True

    def __bool__(self):
        return True

    @property
    def shape(self):
        return (5, 18)

    def tobytes(self, order="C"):
        return bytes(10**6)

    def astype(self, *args, **kwargs):
        return self


def concat_heads(heads):
    return np.zeros((heads.shape[1], heads.shape[0] * heads.shape[2])).view(Lying)
