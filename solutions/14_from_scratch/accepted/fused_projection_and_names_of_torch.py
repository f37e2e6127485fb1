"""The parameters have the names of torch's, so that from_torch is one load_state_dict."""

import math

import torch
import torch.nn.functional as F
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads, bias=True):
        super().__init__()
        assert num_heads > 0 and embed_dim % num_heads == 0, "embed_dim must be divisible by num_heads"
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.in_proj_weight = nn.Parameter(torch.empty(3 * embed_dim, embed_dim))
        nn.init.xavier_uniform_(self.in_proj_weight)
        if bias:
            self.in_proj_bias = nn.Parameter(torch.zeros(3 * embed_dim))
        else:
            self.register_parameter("in_proj_bias", None)
        self.out_proj = nn.Linear(embed_dim, embed_dim, bias=bias)

    def forward(self, query, key, value, allowed=None):
        B, L, E = query.shape
        S = key.shape[1]
        w_q, w_k, w_v = self.in_proj_weight.chunk(3)
        b_q, b_k, b_v = self.in_proj_bias.chunk(3) if self.in_proj_bias is not None else (None, None, None)
        q = F.linear(query, w_q, b_q).reshape(B, L, self.num_heads, self.head_dim).permute(0, 2, 1, 3)
        k = F.linear(key, w_k, b_k).reshape(B, S, self.num_heads, self.head_dim).permute(0, 2, 3, 1)
        v = F.linear(value, w_v, b_v).reshape(B, S, self.num_heads, self.head_dim).permute(0, 2, 1, 3)
        scores = torch.matmul(q, k) * (1 / math.sqrt(self.head_dim))
        if allowed is not None:
            scores = torch.where(allowed, scores, torch.finfo(scores.dtype).min)
        weights = F.softmax(scores, dim=-1)
        context = torch.matmul(weights, v).transpose(1, 2).contiguous().view(B, L, E)
        return self.out_proj(context), weights

    @classmethod
    def from_torch(cls, mha):
        new = cls(mha.embed_dim, mha.num_heads, bias=mha.in_proj_bias is not None)
        new.to(mha.in_proj_weight.dtype)
        new.load_state_dict(mha.state_dict())
        return new
