import math

import torch
from torch.nn.functional import scaled_dot_product_attention


def one_head(q, k, v, allowed):
    scores = q @ k.T / math.sqrt(q.size(1))
    if allowed is not None:
        scores[~allowed] = float("-inf")
    weights = scores.softmax(1)
    return weights @ v, weights


def attention(q, k, v, allowed=None):
    B, h, L, _ = q.shape
    S = k.shape[2]
    if allowed is not None:
        allowed = allowed.expand(B, h, L, S)
    out = torch.zeros(B, h, L, v.shape[3], dtype=v.dtype)
    weights = torch.zeros(B, h, L, S, dtype=q.dtype)
    for b in range(B):
        for i in range(h):
            mask = None if allowed is None else allowed[b, i]
            out[b, i], weights[b, i] = one_head(q[b, i], k[b, i], v[b, i], mask)
    return out, weights


def attention_sdpa(q, k, v, allowed=None):
    outs = []
    for b in range(len(q)):
        mask = allowed
        if mask is not None and mask.dim() == 4:
            mask = mask[b]
        outs.append(scaled_dot_product_attention(q[b], k[b], v[b], mask))
    return torch.stack(outs)
