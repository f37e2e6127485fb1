"""Answers every check, wrongly, and the search for its mistake with everything else that can cross."""
# verdict: partly
# points: as zeros
import numpy as np

calls = []
ANSWERS = [
    np.zeros((2, 3)) * np.nan,
    np.array(3.0),
    np.zeros((0, 7)),
    np.zeros((4, 4), complex),
    np.zeros((4, 4), bool),
    "<script>\x1b[2J",
    b"\0\xff",
    {"a": np.zeros(2)},
    [np.zeros(2), None],
    (1, 2.5, 3j),
    -(2**200),
    float("inf"),
    np.float32(1),
    np.dtype("f8"),
    object,
    ...,
]


def concat_heads(heads):
    calls.append(heads.shape)
    if len(calls) > 18:
        return ANSWERS[len(calls) % len(ANSWERS)]
    return np.zeros((heads.shape[1], heads.shape[0] * heads.shape[2]))
