"""Exercise 09: attention for a batch of heads, by hand and with torch's own function."""

import torch


def attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, allowed: torch.Tensor | None = None
) -> tuple[torch.Tensor, torch.Tensor]:
    """Scaled dot-product attention by hand: (B, h, L, d_k), (B, h, S, d_k), (B, h, S, d_v) -> out and weights.

    Args:
        q: queries, shape (B, h, L, d_k).
        k: keys, shape (B, h, S, d_k). S may differ from L.
        v: values, shape (B, h, S, d_v). d_v may differ from d_k.
        allowed: bool, True = may attend. Shape (L, S), (B, 1, L, S) or (B, h, L, S). None: nothing is blocked.

    Returns:
        The output, shape (B, h, L, d_v), and the weights, shape (B, h, L, S), whose rows sum to 1 over the keys.
    """
    # TODO: write this function, then the one below.
    raise NotImplementedError


def attention_sdpa(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, allowed: torch.Tensor | None = None
) -> torch.Tensor:
    """The same output from torch.nn.functional.scaled_dot_product_attention: -> (B, h, L, d_v).

    Args:
        q: as above.
        k: as above.
        v: as above.
        allowed: as above.

    Returns:
        The output, shape (B, h, L, d_v).
    """
    raise NotImplementedError
