"""Has the line ends of an old Macintosh, a form feed and no line end at its end; the answers are right."""
# verdict: accepted
# points: all
# bytes: cr
import numpy as np


def concat_heads(heads):
    return np.concatenate(list(heads), axis=1)
