"""Output from SDPA with a mask of what is allowed, weights from the same mask; both masks through one function."""

import torch
import torch.nn.functional as F


def _heads(mha, x):
    packed = x @ mha.in_proj_weight.T + mha.in_proj_bias
    return packed.reshape(*x.shape[:2], 3, mha.num_heads, mha.head_dim).permute(2, 0, 3, 1, 4)


def _both(mha, x, allowed):
    q, k, v = _heads(mha, x)
    heads = F.scaled_dot_product_attention(q, k, v, attn_mask=allowed)
    identity = torch.eye(x.shape[1], dtype=x.dtype).expand(*q.shape[:2], -1, -1)
    weights = F.scaled_dot_product_attention(q, k, identity, attn_mask=allowed)
    return mha.out_proj(heads.transpose(1, 2).reshape(x.shape)), weights


def causal_attention(mha, x):
    L = x.shape[1]
    future = torch.ones(L, L).triu(1).bool()
    return _both(mha, x, to_sdpa_mask(None, future, len(x), mha.num_heads))


def padded_attention(mha, x, lengths):
    padding = torch.stack([torch.arange(x.shape[1]) >= n for n in lengths])
    return _both(mha, x, to_sdpa_mask(padding, None, len(x), mha.num_heads))


def to_sdpa_mask(key_padding_mask, attn_mask, batch, num_heads):
    allowed = torch.ones((), dtype=torch.bool)
    for mask in (key_padding_mask, attn_mask):
        if mask is None:
            continue
        if mask is key_padding_mask:
            mask = mask.unsqueeze(1).unsqueeze(1)
        elif mask.dim() == 3:
            mask = torch.stack([block for block in mask.split(num_heads)])
        else:
            mask = torch.stack([mask] * batch).unsqueeze(1)
        allowed = allowed & ~mask
    return allowed
