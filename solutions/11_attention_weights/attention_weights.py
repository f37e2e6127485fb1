"""Reference for 11_attention_weights."""

import torch
from torch import nn


def mean_weights(mha: nn.MultiheadAttention, x: torch.Tensor) -> torch.Tensor:
    """Weights averaged over the heads: (B, L, d) -> (B, L, S), S = L."""
    _out, weights = mha(x, x, x, average_attn_weights=True)
    return weights  # (B, L, S)


def per_head_weights(mha: nn.MultiheadAttention, x: torch.Tensor) -> torch.Tensor:
    """Weights of each head: (B, L, d) -> (B, h, L, S), S = L."""
    _out, weights = mha(x, x, x, average_attn_weights=False)
    return weights  # (B, h, L, S)


def output_only(mha: nn.MultiheadAttention, x: torch.Tensor) -> torch.Tensor:
    """The output, no weights asked for: (B, L, d) -> (B, L, d)."""
    out, _no_weights = mha(x, x, x, need_weights=False)
    return out  # (B, L, d)
