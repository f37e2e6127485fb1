"""Strides far past the end of a storage, and shrinks it under a tensor."""
# verdict: wrong | crashed
# points: none
import torch


def split_heads(x, num_heads):
    return torch.as_strided(x, (10**12,), (1,))


def merge_heads(heads):
    taken = heads.clone()
    taken.untyped_storage().resize_(0)
    return taken
