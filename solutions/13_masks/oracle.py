"""Oracle of 13_masks: nothing is masked; each query is given the keys that it may see, and no other ones."""

import torch


def _attended(mha, x, seen):
    """Output (B, L, d) and weights (B, h, L, S); `seen(b, t)` lists the keys that query t of sentence b sees."""
    B, L, d = x.shape
    h, d_k = mha.num_heads, d // mha.num_heads
    w, bias = mha.in_proj_weight.double(), mha.in_proj_bias.double()
    q, k, v = (
        x.double() @ w[i * d : (i + 1) * d].T + bias[i * d : (i + 1) * d] for i in range(3)
    )  # three times (B, L, d)
    weights, joined = torch.zeros(B, h, L, L, dtype=torch.float64), torch.zeros(B, L, d, dtype=torch.float64)
    for b in range(B):
        for t in range(L):
            keys = seen(b, t)
            for i in range(h):
                own = slice(i * d_k, (i + 1) * d_k)
                powers = [torch.exp(torch.dot(q[b, t, own], k[b, s, own]) / d_k**0.5) for s in keys]
                for s, power in zip(keys, powers, strict=True):
                    weights[b, i, t, s] = power / sum(powers)
                    joined[b, t, own] += power / sum(powers) * v[b, s, own]
    out = joined @ mha.out_proj.weight.double().T + mha.out_proj.bias.double()
    return out.to(x.dtype), weights.to(x.dtype)


def causal_attention(mha, x):
    """Query t sees the keys 0 to t."""
    return _attended(mha, x, lambda _b, t: range(t + 1))


def padded_attention(mha, x, lengths):
    """Every query of sentence b sees its first lengths[b] keys; one of a sentence of length 0 sees none."""
    counts = lengths.tolist()
    return _attended(mha, x, lambda b, _t: range(counts[b]))


def to_sdpa_mask(key_padding_mask, attn_mask, batch, num_heads):
    """A key is allowed unless one of the masks says that it is not."""
    of_heads = attn_mask is not None and attn_mask.dim() == 3
    L, S = (1, key_padding_mask.shape[1]) if attn_mask is None else attn_mask.shape[-2:]

    def blocked(b, i, t, s):
        if key_padding_mask is not None and key_padding_mask[b, s]:
            return True
        if attn_mask is None:
            return False
        return bool(attn_mask[b * num_heads + i, t, s] if of_heads else attn_mask[t, s])

    heads = range(num_heads if of_heads else 1)
    allowed = [[[[not blocked(b, i, t, s) for s in range(S)] for t in range(L)] for i in heads] for b in range(batch)]
    return torch.tensor(allowed)
