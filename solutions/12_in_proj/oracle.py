"""Oracle of 12_in_proj: torch's own projection, and the parameters as it shows them on unit vectors and on zeros."""

import torch
from torch import nn


def _torch_projects(mha, query, key, value):
    """(..., E), (..., kdim), (..., vdim) -> three times (..., E), as the module does it inside."""
    if mha.in_proj_weight is not None:
        return nn.functional._in_projection_packed(query, key, value, mha.in_proj_weight, mha.in_proj_bias)  # noqa: SLF001
    biases = (None,) * 3 if mha.in_proj_bias is None else mha.in_proj_bias.reshape(3, mha.embed_dim)
    weights = mha.q_proj_weight, mha.k_proj_weight, mha.v_proj_weight
    return nn.functional._in_projection(query, key, value, *weights, *biases)  # noqa: SLF001


def split_in_proj(mha):
    """Column j of a weight is what becomes of unit vector j, without the bias; the bias is what becomes of zeros."""
    dtype = mha.out_proj.weight.dtype
    widths = mha.embed_dim, mha.kdim, mha.vdim
    biases = [b[0] for b in _torch_projects(mha, *(torch.zeros(1, width, dtype=dtype) for width in widths))]
    columns = []
    for place, width in enumerate(widths):
        one_by_one = []
        for j in range(width):
            inputs = [torch.zeros(1, other, dtype=dtype) for other in widths]
            inputs[place][0, j] = 1.0
            one_by_one.append(_torch_projects(mha, *inputs)[place][0] - biases[place])
        columns.append(torch.stack(one_by_one, dim=1))  # (E, width)
    return (*columns, *(biases if mha.in_proj_bias is not None else (None,) * 3))


def project(mha, query, key, value):
    """Feature j of head i is feature i * d_k + j: q (B, h, L, d_k), k and v (B, h, S, d_k)."""
    d_k = mha.embed_dim // mha.num_heads
    found = []
    for x in _torch_projects(mha, query, key, value):
        first = x if mha.batch_first else torch.stack(list(x), dim=1)  # (B, length, E)
        heads = torch.empty(len(first), mha.num_heads, first.shape[1], d_k, dtype=x.dtype)
        for column in range(mha.embed_dim):
            heads[:, column // d_k, :, column % d_k] = first[:, :, column]
        found.append(heads)
    return tuple(found)
