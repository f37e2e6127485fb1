"""Reference for 14_from_scratch."""

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    """Multi-head attention for (B, L, E) data; raises ValueError where num_heads does not divide embed_dim."""

    def __init__(self, embed_dim: int, num_heads: int, bias: bool = True) -> None:
        super().__init__()
        if num_heads < 1 or embed_dim % num_heads != 0:
            raise ValueError(f"embed_dim = {embed_dim} cannot be cut into num_heads = {num_heads} equal parts")
        self.num_heads = num_heads
        self.d_k = embed_dim // num_heads
        self.q_proj = nn.Linear(embed_dim, embed_dim, bias=bias)
        self.k_proj = nn.Linear(embed_dim, embed_dim, bias=bias)
        self.v_proj = nn.Linear(embed_dim, embed_dim, bias=bias)
        self.out_proj = nn.Linear(embed_dim, embed_dim, bias=bias)

    def _heads(self, x: torch.Tensor) -> torch.Tensor:
        return x.unflatten(-1, (self.num_heads, self.d_k)).transpose(1, 2)  # (B, L, E) -> (B, h, L, d_k)

    def forward(
        self, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, allowed: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """The output (B, L, E) and the weights of each head (B, h, L, S)."""
        q = self._heads(self.q_proj(query))  # (B, h, L, d_k)
        k = self._heads(self.k_proj(key))  # (B, h, S, d_k)
        v = self._heads(self.v_proj(value))  # (B, h, S, d_k)
        scores = q @ k.mT / self.d_k**0.5  # (B, h, L, S)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = scores.softmax(dim=-1)
        joined = (weights @ v).transpose(1, 2).flatten(2)  # (B, h, L, d_k) -> (B, L, h, d_k) -> (B, L, E)
        return self.out_proj(joined), weights

    @classmethod
    def from_torch(cls, mha: nn.MultiheadAttention) -> "MultiHeadAttention":
        """A layer with copies of the parameters of `mha`, in its dtype."""
        has_bias = mha.in_proj_bias is not None
        layer = cls(mha.embed_dim, mha.num_heads, bias=has_bias).to(mha.out_proj.weight.dtype)
        inner = (layer.q_proj, layer.k_proj, layer.v_proj)
        with torch.no_grad():
            for linear, weight in zip(inner, mha.in_proj_weight.chunk(3), strict=True):
                linear.weight.copy_(weight)
            layer.out_proj.weight.copy_(mha.out_proj.weight)
            if has_bias:
                for linear, bias in zip(inner, mha.in_proj_bias.chunk(3), strict=True):
                    linear.bias.copy_(bias)
                layer.out_proj.bias.copy_(mha.out_proj.bias)
        return layer
