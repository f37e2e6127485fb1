"""Exercise 12: find W_Q, W_K and W_V inside nn.MultiheadAttention, and project with them."""

import torch
from torch import nn


def split_in_proj(mha: nn.MultiheadAttention) -> tuple[torch.Tensor | None, ...]:
    """The three input projections of a module: (w_q, w_k, w_v, b_q, b_k, b_v).

    Args:
        mha: any module without add_bias_kv and add_zero_attn; its kdim and vdim may differ from embed_dim, and it may
            have no bias. It must be as before after the call.

    Returns:
        Six items in this order: w_q of shape (E, E), w_k (E, kdim), w_v (E, vdim), all in torch's layout (out, in),
        then b_q, b_k and b_v of shape (E,) each; the last three are None where the module has no bias.
    """
    # TODO: write this function and the one below.
    raise NotImplementedError


def project(
    mha: nn.MultiheadAttention, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Queries, keys and values of every head, as the module has them inside.

    Args:
        mha: as above, with h heads of width d_k = E // h.
        query: shape (B, L, E), or (L, B, E) where the module has batch_first=False.
        key: shape (B, S, kdim), or (S, B, kdim).
        value: shape (B, S, vdim), or (S, B, vdim).

    Returns:
        q of shape (B, h, L, d_k), k of shape (B, h, S, d_k), v of shape (B, h, S, d_k), the batch always in front.
    """
    raise NotImplementedError
