"""Aborts the process."""
# verdict: crashed | time_limit
# points: none
import os


def concat_heads(heads):
    os.abort()
