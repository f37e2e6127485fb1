"""Reads from address zero."""
# verdict: crashed
# points: none
# says: sandbox.killed
import ctypes


def concat_heads(heads):
    return ctypes.string_at(0)
