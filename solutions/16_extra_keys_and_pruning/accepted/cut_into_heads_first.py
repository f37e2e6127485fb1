"""Every parameter gets an axis for the heads; then the heads are picked from it."""

import torch


def weights_shape(B, L, S, num_heads, add_bias_kv, add_zero_attn, average):
    shape = [B, num_heads, L, S]
    if add_bias_kv:
        shape[-1] += 1
    if add_zero_attn:
        shape[-1] += 1
    if average:
        del shape[1]
    return tuple(shape)


def gate_heads(heads, gates):
    return torch.einsum("bhld,h->bhld", heads, gates)


def prune(mha, keep):
    E, h = mha.embed_dim, mha.num_heads
    d = E // h
    w = mha.in_proj_weight.view(3, h, d, E)[:, keep].reshape(3, -1, E)
    b = (None, None, None)
    if mha.in_proj_bias is not None:
        b = tuple(mha.in_proj_bias.view(3, h, d)[:, keep].reshape(3, -1))
    w_o = mha.out_proj.weight.view(E, h, d)[:, keep].reshape(E, -1)
    return w[0], w[1], w[2], b[0], b[1], b[2], w_o, mha.out_proj.bias
