"""One small module for each head; W_O is a sum over the heads."""

import copy

import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, embed_dim, d_k, bias):
        super().__init__()
        self.q = nn.Linear(embed_dim, d_k, bias=bias)
        self.k = nn.Linear(embed_dim, d_k, bias=bias)
        self.v = nn.Linear(embed_dim, d_k, bias=bias)
        self.out = nn.Linear(d_k, embed_dim, bias=False)


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads, bias=True):
        super().__init__()
        if num_heads <= 0 or embed_dim % num_heads:
            raise ValueError("num_heads must divide embed_dim")
        self.heads = nn.ModuleList(Head(embed_dim, embed_dim // num_heads, bias) for _ in range(num_heads))
        self.bias = nn.Parameter(torch.zeros(embed_dim)) if bias else None

    def forward(self, query, key, value, allowed=None):
        out, tables = 0, []
        for i, head in enumerate(self.heads):
            q, k, v = head.q(query), head.k(key), head.v(value)
            scores = torch.bmm(q, k.transpose(1, 2)) * q.shape[-1] ** -0.5
            if allowed is not None:
                mine = allowed
                if mine.dim() == 4:
                    mine = mine[:, i if mine.shape[1] > 1 else 0]
                scores = scores.masked_fill(mine.logical_not(), float("-inf"))
            table = torch.softmax(scores, dim=2)
            tables.append(table)
            out = out + head.out(torch.bmm(table, v))
        if self.bias is not None:
            out = out + self.bias
        return out, torch.stack(tables, dim=1)

    @staticmethod
    def from_torch(mha):
        E, h = mha.embed_dim, mha.num_heads
        d = E // h
        has_bias = mha.in_proj_bias is not None
        new = MultiHeadAttention(E, h, bias=has_bias).type(mha.in_proj_weight.dtype)
        state = copy.deepcopy(mha.state_dict())
        for i, head in enumerate(new.heads):
            for j, part in enumerate((head.q, head.k, head.v)):
                rows = slice(j * E + i * d, j * E + (i + 1) * d)
                part.weight.data = state["in_proj_weight"][rows].clone()
                if has_bias:
                    part.bias.data = state["in_proj_bias"][rows].clone()
            head.out.weight.data = state["out_proj.weight"][:, i * d : (i + 1) * d].clone()
        if has_bias:
            new.bias.data = state["out_proj.bias"]
        return new
