"""Starts a thread that never gives the interpreter lock back in any useful time."""
# verdict: time_limit
# points: none
import sys
import threading

sys.setswitchinterval(10_000)


def spin():
    while True:
        pass


def concat_heads(heads):
    threading.Thread(target=spin).start()
    return heads.transpose(1, 0, 2).reshape(heads.shape[1], -1)
