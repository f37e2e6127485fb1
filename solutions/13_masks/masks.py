"""Reference for 13_masks."""

import torch
from torch import nn


def causal_attention(mha: nn.MultiheadAttention, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Self-attention without a look ahead: (B, L, d) -> output (B, L, d), weights (B, h, L, S)."""
    L = x.shape[1]
    future = torch.ones(L, L, dtype=torch.bool).triu(diagonal=1)  # (L, S), True = blocked
    out, weights = mha(x, x, x, attn_mask=future, average_attn_weights=False)
    return out, weights


def padded_attention(
    mha: nn.MultiheadAttention, x: torch.Tensor, lengths: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Self-attention without a look at padding: (B, L, d) -> output (B, L, d), weights (B, h, L, S)."""
    padding = torch.arange(x.shape[1]) >= lengths[:, None]  # (B, S), True = blocked
    padding = padding & (lengths > 0)[:, None]  # a softmax over no key at all is NaN
    out, weights = mha(x, x, x, key_padding_mask=padding, average_attn_weights=False)
    return out, weights


def to_sdpa_mask(
    key_padding_mask: torch.Tensor | None, attn_mask: torch.Tensor | None, batch: int, num_heads: int
) -> torch.Tensor:
    """Blocked (B, S) and (L, S) or (B * h, L, S) -> allowed (B, 1, L, S), (B, h, L, S) or (B, 1, 1, S)."""
    blocked = torch.zeros(batch, 1, 1, 1, dtype=torch.bool)
    if key_padding_mask is not None:
        blocked = blocked | key_padding_mask[:, None, None, :]  # (B, 1, 1, S)
    if attn_mask is not None and attn_mask.dim() == 3:
        blocked = blocked | attn_mask.unflatten(0, (batch, num_heads))  # (B, h, L, S)
    elif attn_mask is not None:
        blocked = blocked | attn_mask  # (B, 1, L, S)
    return ~blocked
