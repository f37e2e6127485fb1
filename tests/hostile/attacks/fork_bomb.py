"""Forks into 64 processes at most, each of which ends by itself after three seconds."""
# verdict: wrong
# points: none
# says: sandbox.raised
# needs: seccomp
import os
import signal
import time


def concat_heads(heads):
    first = os.getpid()
    root = True
    for _ in range(6):
        if os.fork() == 0:
            root = False
            signal.alarm(6)
    if not root:
        time.sleep(3)
        os._exit(0)
    print("breach: forked into 64 processes", first)
