"""Reference for 09_scaled_dot_product."""

import math

import torch
from torch.nn.functional import scaled_dot_product_attention


def attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, allowed: torch.Tensor | None = None
) -> tuple[torch.Tensor, torch.Tensor]:
    """By hand: (B, h, L, d_k), (B, h, S, d_k), (B, h, S, d_v) -> output (B, h, L, d_v), weights (B, h, L, S)."""
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # (B, h, L, S)
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


def attention_sdpa(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, allowed: torch.Tensor | None = None
) -> torch.Tensor:
    """In one call: (B, h, L, d_k), (B, h, S, d_k), (B, h, S, d_v) -> (B, h, L, d_v)."""
    return scaled_dot_product_attention(q, k, v, attn_mask=allowed)
