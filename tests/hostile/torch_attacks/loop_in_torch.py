"""Multiplies large matrices for hours, in C++."""
# verdict: time_limit
# points: none
import torch


def split_heads(x, num_heads):
    y = torch.ones(1500, 1500)
    for _ in range(10**6):
        y = torch.linalg.matrix_power(y, 10**6)


def merge_heads(heads):
    return split_heads(heads, 1)
