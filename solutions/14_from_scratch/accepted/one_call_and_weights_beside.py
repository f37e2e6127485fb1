"""The output comes from scaled_dot_product_attention; the weights are computed beside it. One projection for all three."""

import torch
from torch import nn
from torch.nn import functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads, bias=True):
        super().__init__()
        if num_heads < 1 or embed_dim % num_heads:
            raise AssertionError("embed_dim must be divisible by num_heads")
        self.h = num_heads
        self.qkv = nn.Linear(embed_dim, 3 * embed_dim, bias=bias)
        self.out = nn.Linear(embed_dim, embed_dim, bias=bias)

    def split(self, x, part):
        E = x.shape[-1]
        bias = None if self.qkv.bias is None else self.qkv.bias[part * E : (part + 1) * E]
        x = F.linear(x, self.qkv.weight[part * E : (part + 1) * E], bias)
        return torch.stack(x.chunk(self.h, dim=-1), dim=1)

    def forward(self, query, key, value, allowed=None):
        q, k, v = self.split(query, 0), self.split(key, 1), self.split(value, 2)
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=allowed)
        scores = q.matmul(k.transpose(-1, -2)).mul((q.shape[-1]) ** -0.5)
        if allowed is not None:
            scores = scores.masked_fill(allowed == False, -1e9)  # noqa: E712
        return self.out(torch.cat(heads.unbind(dim=1), dim=-1)), scores.softmax(-1)

    @classmethod
    def from_torch(cls, mha):
        layer = cls(mha.embed_dim, mha.num_heads, mha.out_proj.bias is not None).to(mha.out_proj.weight)
        with torch.no_grad():
            layer.qkv.weight.set_(mha.in_proj_weight.clone())
            layer.out.weight[:] = mha.out_proj.weight
            if mha.out_proj.bias is not None:
                layer.qkv.bias[:] = mha.in_proj_bias
                layer.out.bias[:] = mha.out_proj.bias
        return layer
