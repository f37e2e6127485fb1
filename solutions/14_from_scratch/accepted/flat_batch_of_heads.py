"""Batch and heads in one axis, as inside torch; a dictionary of linear layers."""

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads, bias=True):
        super().__init__()
        if num_heads < 1 or embed_dim % num_heads != 0:
            raise ValueError(f"embed_dim ({embed_dim}) must be a multiple of num_heads ({num_heads})")
        self.num_heads, self.d = num_heads, embed_dim // num_heads
        self.proj = nn.ModuleDict({name: nn.Linear(embed_dim, embed_dim, bias) for name in "qkvo"})

    def flat(self, x):
        B, L, E = x.size()
        return x.view(B, L, self.num_heads, self.d).transpose(1, 2).reshape(B * self.num_heads, L, self.d)

    def forward(self, query, key, value, allowed=None):
        B, L, E = query.size()
        S = key.size(1)
        q, k, v = (self.flat(self.proj[n](x)) for n, x in zip("qkv", (query, key, value)))
        # scores with the keys as rows: softmax over the rows, then the product turned around
        scores = torch.baddbmm(torch.zeros(1, 1, 1, dtype=q.dtype), k, q.transpose(1, 2), alpha=self.d**-0.5)
        if allowed is not None:
            mask = allowed.broadcast_to(B, self.num_heads, L, S).reshape(-1, L, S).transpose(1, 2)
            scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=1)
        out = torch.bmm(weights.transpose(1, 2), v)
        out = out.view(B, self.num_heads, L, self.d).permute(0, 2, 1, 3).reshape(B, L, E)
        return self.proj["o"](out), weights.transpose(1, 2).reshape(B, self.num_heads, L, S)

    @classmethod
    def from_torch(cls, mha):
        E = mha.embed_dim
        bias = mha.in_proj_bias is not None
        layer = cls(E, mha.num_heads, bias).to(dtype=mha.in_proj_weight.dtype)
        state = {}
        for i, name in enumerate("qkv"):
            state[f"proj.{name}.weight"] = mha.in_proj_weight[i * E : (i + 1) * E]
            if bias:
                state[f"proj.{name}.bias"] = mha.in_proj_bias[i * E : (i + 1) * E]
        state["proj.o.weight"] = mha.out_proj.weight
        if bias:
            state["proj.o.bias"] = mha.out_proj.bias
        layer.load_state_dict(state)
        return layer
