"""Padding is cut off before attention, sentence by sentence; a padded query sees the real keys as well."""

import torch


def causal_attention(mha, x):
    L = x.shape[1]
    future = torch.triu(torch.ones((L, L)), diagonal=1) == 1
    future = future.expand(x.shape[0] * mha.num_heads, L, L)
    out, weights = mha(x, x, x, None, True, future, False)
    return out, weights


def padded_attention(mha, x, lengths):
    outputs, tables = [], []
    for sentence, n in zip(x, lengths):
        real = sentence[:n]
        out, weights = mha(sentence, real, real, average_attn_weights=False)  # (L, d), (h, L, n)
        outputs.append(out)
        tables.append(torch.nn.functional.pad(weights, (0, len(sentence) - int(n))))
    return torch.stack(outputs), torch.stack(tables)


def to_sdpa_mask(key_padding_mask, attn_mask, batch, num_heads):
    masks = []
    if key_padding_mask is not None:
        masks.append(key_padding_mask.view(batch, 1, 1, key_padding_mask.size(1)))
    if attn_mask is not None:
        if attn_mask.dim() == 2:
            attn_mask = attn_mask.repeat(batch, 1, 1)
        masks.append(attn_mask.view(batch, -1, attn_mask.size(-2), attn_mask.size(-1)))
    blocked = masks[0]
    for mask in masks[1:]:
        blocked = blocked | mask
    return blocked == False  # noqa: E712
