"""Reference for 15_why_scale."""

import torch


def score_std(q: torch.Tensor, k: torch.Tensor) -> float:
    """Spread of all dot products: (..., L, d_k), (..., S, d_k) -> one number, that of the population."""
    scores = q @ k.mT  # (..., L, S)
    return scores.std(correction=0).item()


def softmax_jacobian(weights: torch.Tensor) -> torch.Tensor:
    """Derivatives of the weights by the scores, row by row: (..., S) -> (..., S, S), diag(p) − p pᵀ."""
    products = weights.unsqueeze(-1) * weights.unsqueeze(-2)  # (..., S, S)
    return torch.diag_embed(weights) - products


def gradient_norm(scores: torch.Tensor, scale: float) -> float:
    """Frobenius norm of d softmax(scores * scale) / d scores over all rows: (..., S) -> one number."""
    weights = torch.softmax(scores * scale, dim=-1)
    jacobian = scale * softmax_jacobian(weights)  # (..., S, S), by the chain rule
    return jacobian.norm().item()
