import torch


def score_std(q, k):
    scores = (q.unsqueeze(-2) * k.unsqueeze(-3)).sum(dim=-1)
    mean = scores.mean()
    return ((scores - mean) ** 2).mean() ** 0.5


def softmax_jacobian(weights):
    out = -torch.einsum("...i,...j->...ij", weights, weights)
    out.diagonal(dim1=-2, dim2=-1).add_(weights)
    return out


def gradient_norm(scores, scale):
    x = scores * scale
    powers = torch.exp(x - x.amax(dim=-1, keepdim=True))
    weights = powers / powers.sum(dim=-1, keepdim=True)
    squares = (scale * softmax_jacobian(weights)).square().sum()
    return torch.sqrt(squares)
