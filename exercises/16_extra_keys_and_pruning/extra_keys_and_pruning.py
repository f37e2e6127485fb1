"""Exercise 16: keys that nobody typed in, and heads that nobody needs."""

import torch
from torch import nn


def weights_shape(
    B: int, L: int, S: int, num_heads: int, add_bias_kv: bool, add_zero_attn: bool, average: bool
) -> tuple[int, ...]:
    """Shape of the attention weights that nn.MultiheadAttention returns.

    Args:
        B: sentences in the batch.
        L: queries.
        S: keys that are given to the module.
        num_heads: h.
        add_bias_kv: the module appends a learned key, with its value, to those it is given.
        add_zero_attn: the module appends a key and a value of zeros.
        average: whether the weights are averaged over the heads (`average_attn_weights`).

    Returns:
        The lengths of all axes, a tuple of three or four numbers.
    """
    # TODO: write this function, then the two below.
    raise NotImplementedError


def gate_heads(heads: torch.Tensor, gates: torch.Tensor) -> torch.Tensor:
    """Turns each head up or down: (B, h, L, d_v), (h,) -> (B, h, L, d_v).

    Args:
        heads: shape (B, h, L, d_v), what the heads have found, before they are joined.
        gates: shape (h,), one number for each head: 1 leaves it alone, 0 silences it; others are right too.

    Returns:
        Tensor of shape (B, h, L, d_v), head i times gates[i].
    """
    raise NotImplementedError


def prune(mha: nn.MultiheadAttention, keep: list[int]) -> tuple[torch.Tensor | None, ...]:
    """Parameters of the smaller layer that has only the heads in `keep`.

    Args:
        mha: a module of h heads of width d_k = E / h, with kdim = vdim = E, with or without biases.
        keep: numbers of the heads that stay, counted from 0, in ascending order; at least one.

    Returns:
        (w_q, w_k, w_v, b_q, b_k, b_v, w_o, b_o). With n = len(keep): w_q, w_k, w_v of shape (n * d_k, E), b_q, b_k, b_v
        of shape (n * d_k,), w_o of shape (E, n * d_k), b_o of shape (E,), all in the (out, in) layout of nn.Linear.
        The four biases are None where the module has none.
    """
    raise NotImplementedError
