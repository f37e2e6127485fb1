import torch
import torch.nn.functional as F


def attention(q, k, v, allowed=None):
    d_k = q.shape[-1]
    scores = torch.matmul(k, q.mT).div(d_k**0.5)  # (B, h, S, L)
    if allowed is not None:
        scores.masked_fill_(~allowed.mT, -1e9)
    by_key = torch.softmax(scores, dim=2)
    out = (v.mT @ by_key).mT
    return [out, by_key.transpose(2, 3)]


def attention_sdpa(q, k, v, allowed=None):
    options = {} if allowed is None else {"attn_mask": allowed}
    return F.scaled_dot_product_attention(query=q, key=k, value=v, **options)
