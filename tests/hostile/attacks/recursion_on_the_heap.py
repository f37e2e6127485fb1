"""Raises the recursion limit and recurses in Python alone until memory ends."""
# verdict: time_limit | crashed | memory_limit
# points: none
import sys

sys.setrecursionlimit(2**30)


def concat_heads(heads):
    return concat_heads(heads)
