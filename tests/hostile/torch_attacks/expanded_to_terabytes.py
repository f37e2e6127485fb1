"""Returns one number spread out over terabytes."""
# verdict: wrong
# points: none
import torch


def split_heads(x, num_heads):
    return torch.zeros(1, dtype=x.dtype).expand(10**4, 10**4, 10**4)


def merge_heads(heads):
    return torch.zeros(1, dtype=heads.dtype).expand(10**12)
