"""Exercise 11: ask nn.MultiheadAttention for its weights, and for none."""

import torch
from torch import nn


def mean_weights(mha: nn.MultiheadAttention, x: torch.Tensor) -> torch.Tensor:
    """The weights of self-attention, averaged over the heads: (B, L, d) -> (B, L, S), S = L.

    Args:
        mha: a module with batch_first=True; it must be as before after the call.
        x: shape (B, L, d), used as query, key and value.

    Returns:
        Tensor of shape (B, L, S); row i of a sentence says how query i shares out its attention, all heads averaged.
    """
    # TODO: write this function and the two below.
    raise NotImplementedError


def per_head_weights(mha: nn.MultiheadAttention, x: torch.Tensor) -> torch.Tensor:
    """The weights of self-attention, one table for each head: (B, L, d) -> (B, h, L, S), S = L.

    Args:
        mha: as above; h is its number of heads.
        x: as above.

    Returns:
        Tensor of shape (B, h, L, S); every row of every table sums to 1.
    """
    raise NotImplementedError


def output_only(mha: nn.MultiheadAttention, x: torch.Tensor) -> torch.Tensor:
    """The output of self-attention, without having the module compute weights to return: (B, L, d) -> (B, L, d).

    Args:
        mha: as above.
        x: as above.

    Returns:
        Tensor of shape (B, L, d).
    """
    raise NotImplementedError
