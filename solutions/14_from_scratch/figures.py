"""Figures of 14_from_scratch: the weights of both heads for “cat eats fish”, copied from a module of torch."""

from typing import Any

import torch

from grader.sandbox.wire import Build

# head 0 before the gap, head 1 behind it; a row for each of the three words, and one that no word picks
_W_Q = torch.tensor([[1, 1, 0, 0], [0, 2, 0, 2], [0, 0, 1, 1], [0, 0, 0, 0]], dtype=torch.float64)
_W_K = torch.tensor([[1, 0, 1, 0], [0, 1, 0, 1], [1, 1, 0, 0], [0, 0, 0, 0]], dtype=torch.float64)
_W_V = torch.tensor([[1, 0, 1, 0], [0, 1, 0, 1], [2, 0, 0, 2], [0, 0, 0, 0]], dtype=torch.float64)


def _module() -> Build:
    """The module of these matrices; torch keeps them as (out, in)."""
    state = {
        "in_proj_weight": torch.cat([_W_Q.T, _W_K.T, _W_V.T]),
        "in_proj_bias": torch.zeros(12, dtype=torch.float64),
        "out_proj.weight": torch.eye(4, dtype=torch.float64),
        "out_proj.bias": torch.zeros(4, dtype=torch.float64),
    }
    arguments = {"embed_dim": 4, "num_heads": 2, "batch_first": True}
    return Build("torch.nn.MultiheadAttention", arguments, state)


def _sentence() -> torch.Tensor:
    """Three words, each of which picks its row of a matrix: (1, 3, 4)."""
    return torch.eye(3, 4, dtype=torch.float64).unsqueeze(0)


def _weights(subject: Any, *allowed: torch.Tensor) -> Any:
    layer = subject.make("MultiHeadAttention.from_torch", _module())
    x = _sentence()
    _out, weights = layer.call("forward", x, x, x, *allowed)
    return weights[0]  # (h, L, S)


def open_to_all(subject: Any) -> Any:
    """Weights without a mask: (h, L, S)."""
    return _weights(subject)


def causal(subject: Any) -> Any:
    """Weights where a word sees itself and what came before: (h, L, S)."""
    return _weights(subject, torch.ones(3, 3, dtype=torch.bool).tril())
