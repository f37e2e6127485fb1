"""Calls sys.exit(0) in the call."""
# verdict: wrong
# points: none
# says: sandbox.exited
import sys


def concat_heads(heads):
    sys.exit(0)
