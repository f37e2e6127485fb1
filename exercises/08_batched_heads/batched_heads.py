"""Exercise 08: cut a batch into heads and join them again, with torch."""

import torch


def split_heads(x: torch.Tensor, num_heads: int) -> torch.Tensor:
    """Cuts the columns of every sentence into heads: (B, L, d_model) -> (B, h, L, d_k).

    Args:
        x: shape (B, L, d_model); x[b, t] holds the numbers of position t in sentence b, for all heads.
        num_heads: h, the number of heads.

    Returns:
        Tensor of shape (B, h, L, d_k), d_k = d_model / h. Head i holds the columns from i * d_k up to (i + 1) * d_k.

    Raises:
        ValueError: d_model is not divisible by num_heads, or num_heads is below 1; the text names both numbers.
    """
    # TODO: write this function, then the one below.
    raise NotImplementedError


def merge_heads(heads: torch.Tensor) -> torch.Tensor:
    """Puts the heads of every sentence side by side again: (B, h, L, d_k) -> (B, L, h * d_k).

    Args:
        heads: shape (B, h, L, d_k), in any order in memory: as it lies, or a view such as a transposed tensor.

    Returns:
        Contiguous tensor of shape (B, L, d_model), d_model = h * d_k. Head i fills the columns from i * d_k up to
        (i + 1) * d_k.
    """
    raise NotImplementedError
