"""The rows of every head are cut out of the weight first; one einsum then does the rest."""

import torch


def split_in_proj(mha):
    if mha._qkv_same_embed_dim:
        weights = torch.split(mha.in_proj_weight, mha.embed_dim)
    else:
        weights = mha.q_proj_weight, mha.k_proj_weight, mha.v_proj_weight
    if mha.in_proj_bias is None:
        return (*weights, None, None, None)
    return (*weights, *torch.tensor_split(mha.in_proj_bias, 3))


def project(mha, query, key, value):
    w_q, w_k, w_v, b_q, b_k, b_v = split_in_proj(mha)
    rule = "hcw,blw->bhlc" if mha.batch_first else "hcw,lbw->bhlc"

    def heads(x, weight, bias):
        per_head = weight.reshape(mha.num_heads, -1, weight.shape[1])  # (h, d_k, width)
        projected = torch.einsum(rule, per_head, x)
        if bias is None:
            return projected
        return projected + bias.reshape(mha.num_heads, 1, -1)

    return heads(query, w_q, b_q), heads(key, w_k, b_k), heads(value, w_v, b_v)
