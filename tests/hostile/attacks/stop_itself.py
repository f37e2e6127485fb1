"""Stops itself with SIGSTOP, so that it neither answers nor ends."""
# verdict: time_limit
# points: none
import os
import signal


def concat_heads(heads):
    os.kill(os.getpid(), signal.SIGSTOP)
    while True:  # the first process of a pid namespace cannot stop itself
        signal.pause()
