"""The hint beside the mask it speaks of, padding as a mask for every head, and broadcasting for SDPA."""

import torch


def causal_attention(mha, x):
    position = torch.arange(x.shape[1], device=x.device)
    blocked = position[None, :] > position[:, None]
    return mha(x, x, x, attn_mask=blocked, is_causal=True, average_attn_weights=False)


def padded_attention(mha, x, lengths):
    batch, length, _ = x.shape
    lengths = torch.where(lengths == 0, length, lengths)
    keys = torch.arange(length).expand(batch, length) >= lengths.unsqueeze(1)
    per_query = keys.unsqueeze(1).expand(batch, length, length)
    per_head = per_query.repeat_interleave(mha.num_heads, dim=0)
    return mha(x, x, x, attn_mask=per_head, average_attn_weights=False)


def to_sdpa_mask(key_padding_mask, attn_mask, batch, num_heads):
    if key_padding_mask is None:
        allowed = attn_mask.logical_not()
        if allowed.dim() == 2:
            return allowed.expand(batch, 1, *allowed.shape)
        return allowed.unflatten(0, (batch, num_heads))
    keys = key_padding_mask.logical_not()[:, None, None]
    if attn_mask is None:
        return keys
    if attn_mask.dim() == 2:
        return torch.logical_and(keys, attn_mask.logical_not()[None, None])
    return torch.logical_and(keys, attn_mask.logical_not().reshape(batch, num_heads, *attn_mask.shape[1:]))
