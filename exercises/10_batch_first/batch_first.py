"""Exercise 10: nn.MultiheadAttention for data whose first axis is the batch."""

import torch
from torch import nn


def make_attention(embed_dim: int, num_heads: int) -> nn.MultiheadAttention:
    """A module for data of shape (B, L, d), d = embed_dim.

    Args:
        embed_dim: d, numbers for one position.
        num_heads: h, the number of heads.

    Returns:
        A new nn.MultiheadAttention without dropout, which takes the first axis of its inputs for the batch.

    Raises:
        AssertionError or ValueError: embed_dim is not divisible by num_heads.
    """
    # TODO: write this function, then the one below.
    raise NotImplementedError


def attend(mha: nn.MultiheadAttention, x: torch.Tensor) -> torch.Tensor:
    """The output of self-attention, whichever axis the module takes for the batch: (B, L, d) -> (B, L, d).

    Args:
        mha: a module with batch_first=True or batch_first=False; it must be as before after the call.
        x: shape (B, L, d), used as query, key and value.

    Returns:
        Tensor of shape (B, L, d); the output of a sentence depends on that sentence alone.
    """
    raise NotImplementedError
