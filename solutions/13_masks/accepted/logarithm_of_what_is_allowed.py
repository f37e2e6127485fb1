"""The logarithm of 1 and 0 is a float mask; rows of padding are emptied, and for SDPA blocked keys are counted."""

import torch


def causal_attention(mha, x):
    seen = torch.tril(torch.ones(x.shape[1], x.shape[1], dtype=x.dtype))
    return mha(x, x, x, attn_mask=seen.log(), average_attn_weights=False)


def padded_attention(mha, x, lengths):
    padding = torch.arange(x.shape[1]).repeat(x.shape[0], 1) >= lengths.reshape(-1, 1)
    out, weights = mha(x, x, x, padding ^ padding.all(dim=1, keepdim=True), average_attn_weights=False)
    return out.masked_fill(padding[:, :, None], 0.0), weights.masked_fill(padding[:, None, :, None], 0.0)


def to_sdpa_mask(key_padding_mask, attn_mask, batch, num_heads):
    count = torch.zeros(batch, 1, 1, 1, dtype=torch.int64)
    if key_padding_mask is not None:
        count = count + key_padding_mask.long()[:, None, None]
    if attn_mask is not None:
        tables = attn_mask if attn_mask.dim() == 3 else attn_mask.repeat(batch, 1, 1)
        count = count + tables.long().unflatten(0, (batch, -1))
    return count < 1
