"""Everything at once: derivatives of all weights by all scores; those of different rows are 0 and add nothing."""

import numpy as np
import torch


def score_std(q, k):
    return float(np.std(np.matmul(q.numpy(), np.swapaxes(k.numpy(), -1, -2))))


def softmax_jacobian(weights):
    flat = weights.reshape(-1, weights.shape[-1])
    tables = [torch.diag(p) - torch.outer(p, p) for p in flat]
    return torch.stack(tables).reshape(*weights.shape, weights.shape[-1])


def gradient_norm(scores, scale):
    def weights(x):
        return torch.softmax(x * scale, dim=-1)

    jacobian = torch.autograd.functional.jacobian(weights, scores)
    return torch.linalg.norm(jacobian.flatten()).item()
