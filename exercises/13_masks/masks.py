"""Exercise 13: masks of nn.MultiheadAttention, and the same masks for scaled_dot_product_attention."""

import torch
from torch import nn


def causal_attention(mha: nn.MultiheadAttention, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Self-attention in which no position sees a later one: (B, L, d) -> ((B, L, d), (B, h, L, S)), S = L.

    Args:
        mha: a module with batch_first=True; it must be as before after the call.
        x: shape (B, L, d), used as query, key and value.

    Returns:
        The output, shape (B, L, d), and the weights of each head, shape (B, h, L, S): 0 above the diagonal.
    """
    # TODO: write this function and the two below.
    raise NotImplementedError


def padded_attention(
    mha: nn.MultiheadAttention, x: torch.Tensor, lengths: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Self-attention in which nobody sees padding: (B, L, d), (B,) -> ((B, L, d), (B, h, L, S)), S = L.

    Args:
        mha: as above.
        x: shape (B, L, d); sentence b has lengths[b] real positions, and padding behind them.
        lengths: whole numbers from 0 to L, shape (B,).

    Returns:
        The output and the weights of each head, as above; a key that is padding has weight 0. The rows of queries that
        are padding themselves may hold anything but NaN; so a sentence of length 0 may hold any numbers.
    """
    raise NotImplementedError


def to_sdpa_mask(
    key_padding_mask: torch.Tensor | None, attn_mask: torch.Tensor | None, batch: int, num_heads: int
) -> torch.Tensor:
    """Masks of nn.MultiheadAttention, True = blocked, as one mask for SDPA, True = allowed.

    Args:
        key_padding_mask: bool, shape (B, S), or None.
        attn_mask: bool, shape (L, S) or (B * h, L, S), or None; row b * h + i belongs to head i of sentence b.
        batch: B.
        num_heads: h.

    Returns:
        Bool, shape (B, 1, L, S); (B, h, L, S) where attn_mask has three axes; (B, 1, 1, S) where it is None.
    """
    raise NotImplementedError
