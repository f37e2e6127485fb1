"""Writes noise, a frame without end and a frame of another protocol to every descriptor."""
# verdict: crashed
# points: none
# says: sandbox.nonsense
import os
import struct


def concat_heads(heads):
    for descriptor in range(3, 64):
        for noise in (struct.pack("<4sQBQ", b"MHW3", 2, 0, 2**63), b"HTTP/1.1 200 OK\r\n\r\n", bytes(range(256)) * 16):
            try:
                os.write(descriptor, noise)
            except OSError:
                break
