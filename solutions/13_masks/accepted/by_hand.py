"""The parameters of the module, the formula, and masked_fill; for SDPA, one place after the other."""

import math

import torch
import torch.nn.functional as F


def _attend(mha, x, blocked):
    q, k, v = F.linear(x, mha.in_proj_weight, mha.in_proj_bias).chunk(3, dim=-1)
    q, k, v = (t.unflatten(-1, (mha.num_heads, -1)).transpose(1, 2) for t in (q, k, v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(mha.head_dim)
    weights = scores.masked_fill(blocked, torch.finfo(x.dtype).min).softmax(dim=-1)  # finite: never NaN
    return mha.out_proj((weights @ v).transpose(1, 2).flatten(2)), weights


def causal_attention(mha, x):
    return _attend(mha, x, ~torch.tril(torch.ones(x.size(1), x.size(1), dtype=torch.bool)))


def padded_attention(mha, x, lengths):
    return _attend(mha, x, (torch.arange(x.size(1)) >= lengths.view(-1, 1)).view(len(x), 1, 1, -1))


def to_sdpa_mask(key_padding_mask, attn_mask, batch, num_heads):
    three = attn_mask is not None and attn_mask.dim() == 3
    heads = num_heads if three else 1
    L = 1 if attn_mask is None else attn_mask.shape[-2]
    S = attn_mask.shape[-1] if key_padding_mask is None else key_padding_mask.shape[-1]
    allowed = torch.ones(batch, heads, L, S, dtype=torch.bool)
    for b in range(batch):
        for i in range(heads):
            for query in range(L):
                for key in range(S):
                    if key_padding_mask is not None and key_padding_mask[b, key]:
                        allowed[b, i, query, key] = False
                    if attn_mask is not None:
                        table = attn_mask[b * num_heads + i] if three else attn_mask
                        if table[query, key]:
                            allowed[b, i, query, key] = False
    return allowed
