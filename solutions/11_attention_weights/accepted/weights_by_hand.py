"""Without calling the module: its parameters, the formula of the paper, and SDPA for the output."""

import math

import torch
import torch.nn.functional as F


def _project(mha, x):
    q, k, v = F.linear(x, mha.in_proj_weight, mha.in_proj_bias).chunk(3, dim=-1)
    return [t.unflatten(-1, (mha.num_heads, -1)).transpose(1, 2) for t in (q, k, v)]


def per_head_weights(mha, x):
    q, k, _ = _project(mha, x)
    scores = torch.einsum("bhld,bhsd->bhls", q, k) / math.sqrt(q.size(-1))
    return scores.softmax(dim=-1)


def mean_weights(mha, x):
    return per_head_weights(mha, x).mean(dim=1)


def output_only(mha, x):
    q, k, v = _project(mha, x)
    heads = F.scaled_dot_product_attention(q, k, v)
    return mha.out_proj(heads.transpose(1, 2).flatten(2))
