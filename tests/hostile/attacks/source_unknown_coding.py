# -*- coding: no-such-coding -*-
"""Declares a coding that does not exist."""
# verdict: invalid
# points: none
# says: sandbox.syntax


def concat_heads(heads):
    return heads
