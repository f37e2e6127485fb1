"""Forks twice into a session of its own, so that nobody is left to end it; it ends by itself after six seconds."""
# verdict: wrong
# points: none
# needs: seccomp
import os
import signal
import time


def concat_heads(heads):
    if os.fork() == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        signal.alarm(8)
        os.closerange(0, 1024)
        time.sleep(6)
        os._exit(0)
    print("breach: a daemon was started")
