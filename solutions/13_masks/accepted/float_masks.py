"""Masks that are added: 0 where a key may be seen, minus infinity where not, in the dtype of x."""

import torch
from torch import nn


def causal_attention(mha, x):
    mask = nn.Transformer.generate_square_subsequent_mask(x.size(1), dtype=x.dtype)
    return mha(x, x, x, attn_mask=mask, need_weights=True, average_attn_weights=False)


def padded_attention(mha, x, lengths):
    mask = torch.zeros(x.shape[:2], dtype=x.dtype)
    for b, n in enumerate(lengths.tolist()):
        if n > 0:
            mask[b, n:] = float("-inf")
    return mha(x, x, x, key_padding_mask=mask, average_attn_weights=False)


def to_sdpa_mask(key_padding_mask, attn_mask, batch, num_heads):
    total = torch.zeros(batch, 1, 1, 1)
    if attn_mask is not None:
        numbers = torch.where(attn_mask, -torch.inf, 0.0)
        total = total + (numbers.view(batch, num_heads, *numbers.shape[-2:]) if numbers.ndim == 3 else numbers)
    if key_padding_mask is not None:
        total = total + torch.where(key_padding_mask, -torch.inf, 0.0).reshape(batch, 1, 1, -1)
    return total == 0
