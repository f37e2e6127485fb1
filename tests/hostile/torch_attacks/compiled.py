"""Compiles a function by torch.compile, which writes files and starts a compiler."""
# verdict: wrong | partly | crashed | time_limit | memory_limit
# points: as zeros
import torch


def attack():
    torch.compile(lambda x: x + 1)(torch.ones(3))
    print("breach: a compiler ran")


def safely():
    try:
        attack()
    except Exception:  # refused: as it should be
        pass


def split_heads(x, num_heads):
    safely()
    B, L, d_model = x.shape
    return torch.zeros(B, num_heads, L, d_model // max(num_heads, 1), dtype=x.dtype)


def merge_heads(heads):
    safely()
    B, h, L, d_k = heads.shape
    return torch.zeros(B, L, h * d_k, dtype=heads.dtype)
