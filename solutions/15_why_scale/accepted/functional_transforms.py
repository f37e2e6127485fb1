import torch
from torch.func import jacrev, vmap


def score_std(q, k):
    return torch.std(q @ k.swapaxes(-1, -2), unbiased=False).item()


def softmax_jacobian(weights):
    column, line = weights[..., :, None], weights[..., None, :]
    return torch.diag_embed(weights) - column @ line


def gradient_norm(scores, scale):
    rows = scores.reshape(-1, scores.shape[-1])
    per_row = vmap(jacrev(lambda row: torch.softmax(row * scale, dim=0)))(rows)
    return torch.linalg.vector_norm(per_row)
