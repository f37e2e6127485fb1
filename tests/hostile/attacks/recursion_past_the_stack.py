"""Raises the recursion limit and recurses through C code until the stack ends."""
# verdict: crashed | memory_limit | time_limit
# points: none
import sys

sys.setrecursionlimit(2**30)


def concat_heads(heads):
    return sorted([heads], key=concat_heads)
