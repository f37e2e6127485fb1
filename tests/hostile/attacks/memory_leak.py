"""Switches the garbage collector off and leaks in circles at every call."""
# verdict: memory_limit | wrong | crashed | time_limit
# points: none
import gc

gc.disable()


def concat_heads(heads):
    for _ in range(64):
        ring = [bytearray(2**20)]
        ring.append(ring)
