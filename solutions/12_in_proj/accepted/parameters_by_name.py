"""Parameters looked up by name; the batch goes in front only after the projection, and heads are pieces of columns."""

import torch


def split_in_proj(mha):
    named = dict(mha.named_parameters())
    bias = named.get("in_proj_bias")
    biases = [None] * 3 if bias is None else [bias[mha.embed_dim * i :][: mha.embed_dim] for i in range(3)]
    if "in_proj_weight" in named:
        weights = torch.vsplit(named["in_proj_weight"], 3)
    else:
        weights = [named[f"{letter}_proj_weight"] for letter in "qkv"]
    return tuple(weights) + tuple(biases)


def project(mha, query, key, value):
    *weights, b_q, b_k, b_v = split_in_proj(mha)
    found = []
    for x, weight, bias in zip((query, key, value), weights, (b_q, b_k, b_v)):
        y = torch.einsum("abi,oi->abo", x, weight)
        if bias is not None:
            y = torch.add(y, bias)
        if not mha.batch_first:
            y = y.permute(1, 0, 2)
        found.append(torch.stack(y.split(mha.head_dim, dim=-1), dim=1))
    return found
