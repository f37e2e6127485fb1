import torch


def split_heads(x, num_heads):
    B, L, d_model = x.shape
    if num_heads < 1:
        raise ValueError(f"num_heads must be positive, got {num_heads} (d_model is {d_model})")
    d_k, rest = divmod(d_model, num_heads)
    if rest:
        raise ValueError(f"{d_model} columns for {num_heads} heads: {rest} left over")
    out = x.new_zeros((B, num_heads, L, d_k))
    for b in range(B):
        for i in range(num_heads):
            out[b, i] = x[b, :, i * d_k : (i + 1) * d_k]
    return out


def merge_heads(heads):
    B, h, L, d_k = heads.shape
    out = torch.empty(B, L, h * d_k, dtype=heads.dtype)
    for i in range(h):
        out[:, :, i * d_k : (i + 1) * d_k] = heads[:, i]
    return out
