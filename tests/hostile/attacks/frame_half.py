"""Writes half a reply to every descriptor and then falls silent."""
# verdict: time_limit
# points: none
import os
import struct
import threading


def concat_heads(heads):
    for descriptor in range(3, 64):
        try:
            os.write(descriptor, struct.pack("<4sQBQ", b"MHW3", 2, 0, 1000) + b"[" * 10)
        except OSError:
            pass
    threading.Event().wait()
