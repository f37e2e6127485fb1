"""A small module is asked for the shape; pruning joins slices, on detached copies."""

import torch
from torch import nn


def weights_shape(B, L, S, num_heads, add_bias_kv, add_zero_attn, average):
    mha = nn.MultiheadAttention(
        num_heads, num_heads, add_bias_kv=add_bias_kv, add_zero_attn=add_zero_attn, batch_first=True
    )
    query, key = torch.zeros(B, L, num_heads), torch.zeros(B, S, num_heads)
    _, weights = mha(query, key, key, average_attn_weights=average)
    return weights.shape


def gate_heads(heads, gates):
    return torch.stack([g * head for g, head in zip(gates, heads.unbind(dim=1))], dim=1)


def prune(mha, keep):
    d = mha.head_dim

    def some(t, dim=0):
        if t is None:
            return None
        pieces = [t.detach().narrow(dim, i * d, d) for i in keep]
        return torch.cat(pieces, dim=dim).clone()

    w = mha.in_proj_weight.split(mha.embed_dim)
    b = (None,) * 3 if mha.in_proj_bias is None else mha.in_proj_bias.split(mha.embed_dim)
    b_o = mha.out_proj.bias
    return (
        some(w[0]), some(w[1]), some(w[2]),
        some(b[0]), some(b[1]), some(b[2]),
        some(mha.out_proj.weight, dim=1),
        None if b_o is None else b_o.detach().clone(),
    )
