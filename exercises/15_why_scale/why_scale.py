"""Exercise 15: why attention divides by √d_k, shown by number."""

import torch


def score_std(q: torch.Tensor, k: torch.Tensor) -> float:
    """Spread of the dot products of all queries with all keys: (..., L, d_k), (..., S, d_k) -> one number.

    Args:
        q: shape (..., L, d_k), any number of axes in front, or none.
        k: shape (..., S, d_k), the same axes in front; S may differ from L.

    Returns:
        The standard deviation of q·k over all pairs, those of all axes in front together. The dot products are not
        scaled, and the deviation is that of the population: the sum of squares is divided by the number of pairs.
    """
    # TODO: write this function, then the two below.
    raise NotImplementedError


def softmax_jacobian(weights: torch.Tensor) -> torch.Tensor:
    """How each weight answers to each score: (..., S) -> (..., S, S).

    Args:
        weights: shape (..., S), the results of a softmax over the last axis: each row sums to 1.

    Returns:
        Tensor of shape (..., S, S). For a row p of weights it holds diag(p) − p pᵀ: entry [i, j] is the derivative of
        weight i by score j of the same row.
    """
    raise NotImplementedError


def gradient_norm(scores: torch.Tensor, scale: float) -> float:
    """How much the weights softmax(scores · scale) answer to the scores, over all rows: (..., S) -> one number.

    Args:
        scores: shape (..., S), not scaled; the softmax runs over the last axis.
        scale: what the scores are multiplied by before the softmax, above 0, such as 1/√d_k.

    Returns:
        The Frobenius norm of all derivatives d softmax(scores · scale)[i] / d scores[j] of all rows together: the root
        of the sum of their squares.
    """
    raise NotImplementedError
