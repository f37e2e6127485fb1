"""Oracle of 08_batched_heads: each number is put where the definition says, one by one."""

import torch


def split_heads(x, num_heads):
    """Entry [b, i, t, c] is x[b, t, i * d_k + c]: (B, L, d_model) -> (B, h, L, d_k)."""
    B, L, d_model = x.shape
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"{d_model} columns cannot be shared equally by {num_heads} heads")
    d_k = d_model // num_heads
    heads = torch.empty(B, num_heads, L, d_k, dtype=x.dtype)
    for b in range(B):
        for t in range(L):
            for column in range(d_model):
                heads[b, column // d_k, t, column % d_k] = x[b, t, column]
    return heads


def merge_heads(heads):
    """Entry [b, t, column] is heads[b, column // d_k, t, column % d_k]: (B, h, L, d_k) -> (B, L, h * d_k)."""
    B, h, L, d_k = heads.shape
    rows = torch.empty(B, L, h * d_k, dtype=heads.dtype)
    for b in range(B):
        for t in range(L):
            for column in range(h * d_k):
                rows[b, t, column] = heads[b, column // d_k, t, column % d_k]
    return rows
