"""Has torch compute with many threads after the fork."""
# verdict: wrong | partly | crashed | time_limit | memory_limit
# points: as zeros
import torch

torch.set_num_threads(16)
torch.ones(300, 300) @ torch.ones(300, 300)
(torch.ones(2_000_000) + 1).sum()


def split_heads(x, num_heads):
    B, L, d_model = x.shape
    return torch.zeros(B, num_heads, L, d_model // max(num_heads, 1), dtype=x.dtype)


def merge_heads(heads):
    B, h, L, d_k = heads.shape
    return torch.zeros(B, L, h * d_k, dtype=heads.dtype)
