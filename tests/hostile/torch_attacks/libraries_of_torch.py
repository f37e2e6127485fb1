"""Reaches the C library through those of torch and starts a shell."""
# verdict: wrong | partly | crashed | time_limit | memory_limit
# points: as zeros
import ctypes

import torch


def attack():
    library = ctypes.CDLL(torch._C.__file__)
    if library.system(b"touch /tmp/@@MARK@@-system") == 0:
        print("breach: a shell ran")
    torch.ops.load_library("/lib/x86_64-linux-gnu/libc.so.6")
    torch.classes.load_library("@@CLOSED@@")


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
