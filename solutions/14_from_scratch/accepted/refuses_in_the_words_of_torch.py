"""An assert of its own refuses a wrong width, in the very words of torch; the module that is given is only read."""

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads, bias=True):
        super().__init__()
        if num_heads < 1 or embed_dim % num_heads:
            raise ValueError(f"{num_heads} heads do not fit into {embed_dim}")
        self.embed_dim, self.num_heads = embed_dim, num_heads
        names = ("query", "key", "value", "output")
        self.maps = nn.ModuleDict({name: nn.Linear(embed_dim, embed_dim, bias=bias) for name in names})

    def heads_of(self, name, x):
        assert x.shape[-1] == self.embed_dim, (
            f"was expecting embedding dimension of {self.embed_dim}, but got {x.shape[-1]}"
        )
        return self.maps[name](x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

    def forward(self, query, key, value, allowed=None):
        q, k, v = self.heads_of("query", query), self.heads_of("key", key), self.heads_of("value", value)
        scores = torch.einsum("bhld,bhsd->bhls", q, k) / q.shape[-1] ** 0.5
        if allowed is not None:
            scores = torch.where(allowed, scores, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        return [self.maps["output"]((weights @ v).transpose(1, 2).flatten(2)), weights]

    @classmethod
    def from_torch(cls, mha):
        layer = cls(mha.embed_dim, mha.num_heads, bias=mha.in_proj_bias is not None).to(mha.in_proj_weight.dtype)
        given = mha.state_dict()
        state = {f"maps.output.{name}": given[f"out_proj.{name}"] for name in ("weight", "bias") if layer.has(name)}
        for name in ("weight", "bias"):
            if layer.has(name):
                thirds = given[f"in_proj_{name}"].chunk(3)
                state |= {f"maps.{which}.{name}": third for which, third in zip(("query", "key", "value"), thirds)}
        layer.load_state_dict(state)
        return layer

    def has(self, name):
        return getattr(self.maps["output"], name) is not None
