"""Writes without end to the descriptors of standard output and standard error, past Python's buffers."""
# verdict: output_limit
# points: none
# says: sandbox.output_limit
import os


def concat_heads(heads):
    while True:
        os.write(1, b"x" * 65_537)
        os.write(2, b"x" * 65_537)
