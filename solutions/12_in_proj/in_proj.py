"""Reference for 12_in_proj."""

import torch
from torch import nn


def split_in_proj(mha: nn.MultiheadAttention) -> tuple[torch.Tensor | None, ...]:
    """(w_q, w_k, w_v, b_q, b_k, b_v) in torch's layout (out, in); the biases are None where there are none."""
    if mha.in_proj_weight is None:  # kdim or vdim differs from embed_dim
        weights = (mha.q_proj_weight, mha.k_proj_weight, mha.v_proj_weight)  # (E, E), (E, kdim), (E, vdim)
    else:
        weights = mha.in_proj_weight.chunk(3)  # (3E, E) -> 3 x (E, E)
    biases = (None, None, None) if mha.in_proj_bias is None else mha.in_proj_bias.chunk(3)  # (3E,) -> 3 x (E,)
    return (*weights, *biases)


def project(
    mha: nn.MultiheadAttention, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor
) -> tuple[torch.Tensor, ...]:
    """The heads: q (B, h, L, d_k), k and v (B, h, S, d_k), whatever the layout of the inputs."""
    parts = split_in_proj(mha)
    inputs = (query, key, value) if mha.batch_first else [x.transpose(0, 1) for x in (query, key, value)]
    projected = [nn.functional.linear(x, w, b) for x, w, b in zip(inputs, parts[:3], parts[3:], strict=True)]
    return tuple(_heads(x, mha.num_heads) for x in projected)


def _heads(x: torch.Tensor, num_heads: int) -> torch.Tensor:
    """(B, L, E) -> (B, h, L, d_k)."""
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)  # (B, L, h, d_k) -> (B, h, L, d_k)
