"""Heads stay behind the positions, (B, L, h, d_k); the weights of the projections have an axis for the heads."""

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads, bias=True):
        super().__init__()
        if num_heads < 1:
            raise ValueError(f"num_heads={num_heads}")
        if embed_dim % num_heads != 0:
            raise ValueError(f"{embed_dim} % {num_heads} != 0")
        h, d, E = num_heads, embed_dim // num_heads, embed_dim
        self.w = nn.Parameter(torch.randn(3, h, d, E) / E**0.5)
        self.w_o = nn.Parameter(torch.randn(E, h, d) / E**0.5)
        self.register_parameter("b", nn.Parameter(torch.zeros(3, h, d)) if bias else None)
        self.register_parameter("b_o", nn.Parameter(torch.zeros(E)) if bias else None)

    def project(self, x, part):
        y = torch.einsum("ble,hde->blhd", x, self.w[part])
        return y if self.b is None else y + self.b[part]

    def forward(self, query, key, value, allowed=None):
        q, k, v = self.project(query, 0), self.project(key, 1), self.project(value, 2)
        # the fourth root of d on both sides
        root = q.shape[-1] ** 0.25
        scores = torch.einsum("blhd,bshd->bhls", q / root, k / root)
        if allowed is not None:
            scores = scores + torch.zeros_like(scores).masked_fill(~allowed, -torch.inf)
        scores = scores - scores.amax(dim=-1, keepdim=True)
        weights = scores.exp()
        weights = weights / weights.sum(dim=-1, keepdim=True)
        out = torch.einsum("bhls,bshd,ehd->ble", weights, v, self.w_o)
        return (out if self.b_o is None else out + self.b_o), weights

    @classmethod
    def from_torch(cls, mha):
        E, h = mha.embed_dim, mha.num_heads
        self = cls(E, h, bias=mha.in_proj_bias is not None)
        self.w = nn.Parameter(mha.in_proj_weight.detach().clone().view(3, h, E // h, E))
        self.w_o = nn.Parameter(mha.out_proj.weight.detach().clone().view(E, h, E // h))
        if self.b is not None:
            self.b = nn.Parameter(mha.in_proj_bias.detach().clone().view(3, h, E // h))
            self.b_o = nn.Parameter(mha.out_proj.bias.detach().clone())
        return self
