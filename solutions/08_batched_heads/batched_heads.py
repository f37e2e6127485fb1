"""Reference for 08_batched_heads."""

import torch


def split_heads(x: torch.Tensor, num_heads: int) -> torch.Tensor:
    """Columns of every sentence into heads: (B, L, d_model) -> (B, h, L, d_k)."""
    B, L, d_model = x.shape
    if num_heads < 1 or d_model % num_heads != 0:
        raise ValueError(f"d_model = {d_model} cannot be split into num_heads = {num_heads} heads of equal width")
    by_position = x.view(B, L, num_heads, d_model // num_heads)  # (B, L, h, d_k)
    return by_position.transpose(1, 2)  # (B, h, L, d_k)


def merge_heads(heads: torch.Tensor) -> torch.Tensor:
    """Heads of every sentence side by side, contiguous: (B, h, L, d_k) -> (B, L, h * d_k)."""
    B, h, L, d_k = heads.shape
    by_position = heads.transpose(1, 2).contiguous()  # (B, L, h, d_k)
    return by_position.view(B, L, h * d_k)  # (B, L, d_model)
