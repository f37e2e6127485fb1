"""Exercise 14: multi-head attention as a module of your own, equal to torch's."""

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    """Multi-head attention for (B, L, E) data, with the parameters and the results of nn.MultiheadAttention.

    Args:
        embed_dim: E, numbers for one position, in every input and in the output.
        num_heads: h; each head is d_k = E / h wide.
        bias: whether each of the four projections (query, key, value, output) has a bias.

    Raises:
        ValueError: num_heads does not divide embed_dim, or is smaller than 1; an AssertionError is right too.
    """

    def __init__(self, embed_dim: int, num_heads: int, bias: bool = True) -> None:
        super().__init__()
        # TODO: write this method, then the two below.
        raise NotImplementedError

    def forward(
        self, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, allowed: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Attends: (B, L, E), (B, S, E), (B, S, E) -> (B, L, E) and (B, h, L, S).

        Args:
            query: shape (B, L, E).
            key: shape (B, S, E); S may differ from L.
            value: shape (B, S, E).
            allowed: bool, shape (L, S), (B, 1, L, S) or (B, h, L, S); True where a query may attend to a key. None
                blocks nothing.

        Returns:
            The output, of shape (B, L, E), and the weights of each head, of shape (B, h, L, S).
        """
        raise NotImplementedError

    @classmethod
    def from_torch(cls, mha: nn.MultiheadAttention) -> "MultiHeadAttention":
        """A layer that computes what `mha` computes.

        Args:
            mha: a module with kdim = vdim = embed_dim and no extra keys, with or without biases, of any dtype.

        Returns:
            A layer with copies of its parameters, in its dtype; the two share no memory.
        """
        raise NotImplementedError
