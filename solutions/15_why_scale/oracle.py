"""Oracle of 15_why_scale: the spread number by number, and every derivative as torch finds it, without the formula."""

import math

import torch


def score_std(q, k):
    """The root of the mean squared distance from the mean, over each query with each key of its table."""
    q_tables, k_tables = q.reshape(-1, *q.shape[-2:]).tolist(), k.reshape(-1, *k.shape[-2:]).tolist()
    scores = [
        math.fsum(x * y for x, y in zip(query, key, strict=True))
        for queries, keys in zip(q_tables, k_tables, strict=True)
        for query in queries
        for key in keys
    ]
    mean = math.fsum(scores) / len(scores)
    return math.sqrt(math.fsum((score - mean) ** 2 for score in scores) / len(scores))


def _derivatives(scores, scale):
    """Of the softmax of one row by its scores: (S,) -> (S, S)."""
    return torch.autograd.functional.jacobian(lambda row: (row * scale).softmax(dim=0), scores)


def softmax_jacobian(weights):
    """Weights are the softmax of their logarithms, so these are scores that belong to them."""
    rows = weights.reshape(-1, weights.shape[-1])
    return torch.stack([_derivatives(row.log(), 1.0) for row in rows]).reshape(*weights.shape, -1)


def gradient_norm(scores, scale):
    """The root of the sum of squares of all derivatives, row by row."""
    rows = scores.detach().reshape(-1, scores.shape[-1])
    return math.sqrt(math.fsum(number**2 for row in rows for number in _derivatives(row, scale).flatten().tolist()))
