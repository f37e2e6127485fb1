import torch
import torch.nn.functional as F


def _to_add(allowed, like):
    """0 where a key may be seen, a very low number elsewhere."""
    zero = torch.zeros(allowed.shape, dtype=like.dtype)
    return zero.masked_fill(torch.logical_not(allowed), torch.finfo(like.dtype).min / 2)


def attention(q, k, v, allowed=None):
    B, h, L, d_k = q.shape
    S = k.shape[-2]
    flat_q, flat_k, flat_v = (x.reshape(B * h, *x.shape[2:]) for x in (q * d_k**-0.5, k, v))
    scores = torch.bmm(flat_q, flat_k.permute(0, 2, 1))
    if allowed is not None:
        scores = scores + _to_add(allowed, q).expand(B, h, L, S).reshape(B * h, L, S)
    weights = F.softmax(scores, dim=2)
    return torch.bmm(weights, flat_v).view(B, h, L, -1), weights.view(B, h, L, S)


def attention_sdpa(q, k, v, allowed=None):
    mask = None if allowed is None else _to_add(allowed, q)
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=0.0, is_causal=False)
