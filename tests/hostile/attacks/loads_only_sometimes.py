"""Loads, or loops, or ends, or breaks, as the clock will have it, and ends at every call."""
# verdict: invalid | crashed | time_limit
# points: none
import os
import time

chance = time.time_ns() // 1000 % 4
if chance == 1:
    os._exit(1)
if chance == 2:
    raise SyntaxError("all checks passed")
while chance == 3:
    pass


def concat_heads(heads):
    os._exit(0)
