"""Figures of 11_attention_weights: the weights of a module with two heads for “cat eats fish”, by head and averaged."""

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


def each_head(subject: Any) -> Any:
    """Weights of each head: (h, L, S)."""
    return subject.per_head_weights(_module(), _sentence())[0]


def average(subject: Any) -> Any:
    """Weights averaged over the heads: (L, S)."""
    return subject.mean_weights(_module(), _sentence())[0]
