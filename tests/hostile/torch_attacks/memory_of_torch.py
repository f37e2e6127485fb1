"""Fills memory with a list of tensors."""
# verdict: memory_limit
# points: none
import torch

kept = []


def split_heads(x, num_heads):
    while True:
        kept.append(torch.ones(2**22))


def merge_heads(heads):
    return split_heads(heads, 1)
