"""Returns arrays of records, dates, text and other dtypes that compare in their own ways."""
# verdict: wrong
# points: none
import numpy as np

DTYPES = [
    np.dtype([("a", "f8")]),
    np.dtype("M8[s]"),
    np.dtype("S8"),
    np.dtype("U4"),
    np.dtype("V8"),
    np.dtype(np.longdouble),
]


def concat_heads(heads):
    shape = (heads.shape[1], heads.shape[0] * heads.shape[2])
    return np.zeros(shape, DTYPES[heads.size % len(DTYPES)])
