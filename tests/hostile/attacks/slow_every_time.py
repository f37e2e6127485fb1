"""Answers right, but so slowly that the checks together take longer than a submission may."""
# verdict: time_limit | partly
# points: any
import time

import numpy as np


def concat_heads(heads):
    time.sleep(0.12)
    return np.concatenate(list(heads), axis=1)
