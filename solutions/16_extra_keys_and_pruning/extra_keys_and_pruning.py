"""Reference for 16_extra_keys_and_pruning."""

import torch
from torch import nn


def weights_shape(
    B: int, L: int, S: int, num_heads: int, add_bias_kv: bool, add_zero_attn: bool, average: bool
) -> tuple[int, ...]:
    """Shape of the weights: (B, L, keys) averaged over the heads, else (B, h, L, keys)."""
    keys = S + int(add_bias_kv) + int(add_zero_attn)
    return (B, L, keys) if average else (B, num_heads, L, keys)


def gate_heads(heads: torch.Tensor, gates: torch.Tensor) -> torch.Tensor:
    """Head i times gates[i]: (B, h, L, d_v), (h,) -> (B, h, L, d_v)."""
    return heads * gates[:, None, None]  # (h, 1, 1)


def prune(mha: nn.MultiheadAttention, keep: list[int]) -> tuple[torch.Tensor | None, ...]:
    """Parameters with the heads in `keep` only: w_q, w_k, w_v, b_q, b_k, b_v, w_o, b_o."""
    d_k = mha.head_dim
    stay = torch.cat([torch.arange(i * d_k, (i + 1) * d_k) for i in keep])  # (n * d_k,)
    weights = [w[stay] for w in mha.in_proj_weight.chunk(3)]  # (E, E) -> (n * d_k, E)
    biases = [None] * 3 if mha.in_proj_bias is None else [b[stay] for b in mha.in_proj_bias.chunk(3)]
    w_o = mha.out_proj.weight[:, stay]  # (E, E) -> (E, n * d_k): its columns are what the heads deliver
    return (*weights, *biases, w_o, mha.out_proj.bias)
