"""Computes what the module computes from its parameters; then no layout is needed."""

import torch
import torch.nn.functional as F
from torch import nn


class BatchFirstAttention(nn.MultiheadAttention):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__(embed_dim, num_heads, batch_first=True)


def make_attention(embed_dim: int, num_heads: int) -> nn.MultiheadAttention:
    return BatchFirstAttention(embed_dim, num_heads)


def attend(mha: nn.MultiheadAttention, x: torch.Tensor) -> torch.Tensor:
    B, L, d = x.shape
    projected = F.linear(x, mha.in_proj_weight, mha.in_proj_bias)
    q, k, v = (part.view(B, L, mha.num_heads, -1).transpose(1, 2) for part in projected.chunk(3, dim=-1))
    heads = F.scaled_dot_product_attention(q, k, v)
    return mha.out_proj(heads.transpose(1, 2).reshape(B, L, d))
