"""Three nn.Linear layers that are filled from the module, and one slice of columns for each head."""

import torch
from torch import nn


def split_in_proj(mha):
    layers = _layers(mha)
    return tuple(layer.weight for layer in layers) + tuple(layer.bias for layer in layers)


def _layers(mha):
    E, has_bias = mha.embed_dim, mha.in_proj_bias is not None
    layers = []
    for i, letter in enumerate("qkv"):
        weight = getattr(mha, f"{letter}_proj_weight")
        if weight is None:
            weight = mha.in_proj_weight[i * E : (i + 1) * E]
        layer = nn.Linear(weight.shape[1], E, bias=has_bias, dtype=weight.dtype)
        with torch.no_grad():
            layer.weight.copy_(weight)
            if has_bias:
                layer.bias.copy_(mha.in_proj_bias[i * E : (i + 1) * E])
        layers.append(layer)
    return layers


def project(mha, query, key, value):
    heads = []
    for layer, x in zip(_layers(mha), (query, key, value)):
        projected = layer(x)
        pieces = [projected[..., i * mha.head_dim : (i + 1) * mha.head_dim] for i in range(mha.num_heads)]
        stacked = torch.stack(pieces)  # (h, B, L, d_k) or (h, L, B, d_k)
        heads.append(stacked.movedim(0, 1) if mha.batch_first else stacked.permute(2, 0, 1, 3))
    return tuple(heads)
