"""No table of derivatives for the norm: the sum of its squares is sum(p²) − 2 sum(p³) + sum(p²)² for each row."""

import math

import torch
import torch.nn.functional as F


def score_std(q, k):
    scores = torch.matmul(q, k.transpose(-2, -1)).double()
    return (scores - scores.mean()).norm().item() / math.sqrt(scores.numel())


def softmax_jacobian(weights):
    eye = torch.eye(weights.size(-1), dtype=weights.dtype)
    return (eye - weights[..., None, :]) * weights[..., :, None]


def gradient_norm(scores, scale):
    p = F.softmax(scores * scale, dim=-1).double()
    second = p.pow(2).sum(-1)
    return abs(scale) * (second - 2 * p.pow(3).sum(-1) + second**2).clamp(min=0).sum().sqrt()
