"""Pruning as a product: the rows of an identity matrix that belong to the kept heads."""

import torch


def weights_shape(B, L, S, num_heads, add_bias_kv, add_zero_attn, average):
    keys = S
    for option in (add_bias_kv, add_zero_attn):
        keys = keys + 1 if option else keys
    if average:
        return B, L, keys
    return B, num_heads, L, keys


def gate_heads(heads, gates):
    # (B, L, d_v, h): the heads last, then back again
    return (heads.movedim(1, -1) * gates).movedim(-1, 1)


def prune(mha, keep):
    E = mha.embed_dim
    dtype = mha.out_proj.weight.dtype
    pick = torch.eye(E, dtype=dtype).reshape(mha.num_heads, -1, E)[keep].reshape(-1, E)  # (n * d_k, E)
    w_q, w_k, w_v = (pick @ w for w in mha.in_proj_weight.tensor_split(3))
    if mha.in_proj_bias is None:
        biases = [None, None, None]
    else:
        biases = [pick @ b for b in mha.in_proj_bias.tensor_split(3)]
    w_o = mha.out_proj.weight @ pick.T
    return (w_q, w_k, w_v, *biases, w_o, mha.out_proj.bias)
