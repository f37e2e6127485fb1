"""Reads from address zero while it is loaded."""
# verdict: crashed
# points: none
import ctypes

ctypes.string_at(0)
