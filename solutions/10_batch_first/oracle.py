"""Oracle of 10_batch_first: a module and a layer written from the formula, sentence by sentence and head by head."""

import torch
from torch import nn


def _attention(module, sentence):
    """What one sentence gives: (L, d) -> (L, d), from the parameters that nn.MultiheadAttention has."""
    d, h = module.embed_dim, module.num_heads
    projected = sentence @ module.in_proj_weight.T + module.in_proj_bias  # (L, 3 * d): queries, keys, values
    heads = []
    for i in range(h):
        own = torch.arange(d // h) + i * (d // h)
        q, k, v = (projected[:, own + part * d] for part in range(3))
        heads.append(torch.softmax(q @ k.T * (d // h) ** -0.5, dim=1) @ v)
    return torch.hstack(heads) @ module.out_proj.weight.T + module.out_proj.bias


class _BatchFirst(nn.Module):
    """As much of nn.MultiheadAttention as can be asked about a new one."""

    def __init__(self, embed_dim, num_heads):
        if embed_dim % num_heads:
            raise ValueError("embed_dim must be divisible by num_heads")
        super().__init__()
        self.embed_dim, self.num_heads, self.batch_first, self.dropout = embed_dim, num_heads, True, 0.0
        self.in_proj_weight = nn.Parameter(torch.zeros(3 * embed_dim, embed_dim))
        self.in_proj_bias = nn.Parameter(torch.zeros(3 * embed_dim))
        self.out_proj = nn.Linear(embed_dim, embed_dim)
        nn.init.zeros_(self.out_proj.bias)

    def forward(self, query, _key, _value):
        return torch.stack([_attention(self, sentence) for sentence in query]), None


def make_attention(embed_dim, num_heads):
    """A module for (B, L, d) that refuses a width which the heads do not divide."""
    return _BatchFirst(embed_dim, num_heads)


def attend(mha, x):
    """Self-attention of each sentence by itself: (B, L, d) -> (B, L, d)."""
    return torch.stack([_attention(mha, sentence) for sentence in x])
