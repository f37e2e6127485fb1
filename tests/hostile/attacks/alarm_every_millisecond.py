"""Interrupts the worker a thousand times a second with a handler that raises."""
# verdict: crashed | partly | time_limit | invalid
# points: as zeros
import signal

import numpy as np


def interrupt(number, frame):
    raise KeyboardInterrupt


signal.signal(signal.SIGALRM, interrupt)
signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)


def concat_heads(heads):
    return np.zeros((heads.shape[1], heads.shape[0] * heads.shape[2]))
