# -*- coding: rot13 -*-
"""Declares a coding that is none of characters to bytes."""
# verdict: invalid | crashed
# points: none


def concat_heads(heads):
    return heads
