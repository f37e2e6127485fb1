"""Lets a forked child answer while the parent ends, so that killing the parent would not be enough."""
# verdict: wrong
# points: as zeros
# needs: seccomp
import os
import signal

import numpy as np


def concat_heads(heads):
    if os.fork():
        os._exit(0)
    signal.alarm(6)
    print("breach: the child of a worker answers", flush=True)
    return np.zeros((heads.shape[1], heads.shape[0] * heads.shape[2]))
