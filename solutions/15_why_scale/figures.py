"""Figures of 15_why_scale: how the spread of q·k and the gradient of the softmax change with d_k, measured."""

from functools import cache
from typing import Any

import torch

QUERIES, KEYS = 40, 60
# ten scores of one row, as far apart as ten draws of a normal distribution typically are; to be spread by √d_k
_ROW = torch.tensor([-1.55, -1.0, -0.66, -0.38, -0.12, 0.12, 0.38, 0.66, 1.0, 1.55], dtype=torch.float64)


@cache
def _vectors(d_k: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Random queries and keys, (L, d_k) and (S, d_k), the same ones each time."""
    generator = torch.Generator().manual_seed(d_k)
    drawn = torch.randn(QUERIES + KEYS, d_k, generator=generator, dtype=torch.float64)
    return drawn[:QUERIES], drawn[QUERIES:]


def spread_without_scale(subject: Any, d_k: int) -> Any:
    """Standard deviation of q·k."""
    q, k = _vectors(d_k)
    return subject.score_std(q, k)


def spread_with_scale(subject: Any, d_k: int) -> Any:
    """Standard deviation of q·k / √d_k; the queries are divided beforehand."""
    q, k = _vectors(d_k)
    return subject.score_std(q / d_k**0.5, k)


def gradient_without_scale(subject: Any, d_k: int) -> Any:
    """Norm of the derivatives of softmax(scores) by the scores."""
    return subject.gradient_norm(_ROW * d_k**0.5, 1.0)


def gradient_with_scale(subject: Any, d_k: int) -> Any:
    """Norm of the derivatives of softmax(scores / √d_k) by the scores."""
    return subject.gradient_norm(_ROW * d_k**0.5, d_k**-0.5)
