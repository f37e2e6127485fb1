"""Reference for 10_batch_first."""

import torch
from torch import nn


def make_attention(embed_dim: int, num_heads: int) -> nn.MultiheadAttention:
    """A module for (B, L, d) data; torch itself refuses a width that the heads do not divide."""
    return nn.MultiheadAttention(embed_dim, num_heads, batch_first=True)


def attend(mha: nn.MultiheadAttention, x: torch.Tensor) -> torch.Tensor:
    """Self-attention by a module of either layout: (B, L, d) -> (B, L, d)."""
    if mha.batch_first:
        return mha(x, x, x)[0]
    sequence_first = x.transpose(0, 1)  # (L, B, d)
    out, _weights = mha(sequence_first, sequence_first, sequence_first)
    return out.transpose(0, 1)  # (B, L, d)
