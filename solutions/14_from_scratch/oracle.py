"""Oracle of 14_from_scratch: a module of torch behind the same three methods."""

import copy

from torch import nn


class MultiHeadAttention(nn.Module):
    """Multi-head attention that torch computes, for (B, L, E) data."""

    def __init__(self, embed_dim, num_heads, bias=True):
        super().__init__()
        if num_heads < 1:
            raise ValueError(f"num_heads = {num_heads}")
        self.mha = nn.MultiheadAttention(embed_dim, num_heads, bias=bias, batch_first=True)

    def forward(self, query, key, value, allowed=None):
        """The output, and the weights of each head."""
        if query.shape[-1] != self.mha.embed_dim:
            raise ValueError("a width that does not fit")  # in other words than those of torch, which give it away
        blocked = None
        if allowed is not None:
            every = (len(query), self.mha.num_heads, query.shape[1], key.shape[1])
            blocked = ~allowed.expand(every).reshape(-1, *every[2:])  # (B * h, L, S)
        return self.mha(query, key, value, attn_mask=blocked, average_attn_weights=False)

    @classmethod
    def from_torch(cls, mha):
        """A copy of the module, in a layer of ours."""
        layer = cls(mha.embed_dim, mha.num_heads)
        layer.mha = copy.deepcopy(mha)
        return layer
