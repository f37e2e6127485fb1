"""The derivatives are left to torch, one weight after the other."""

import torch


def score_std(q, k):
    scores = torch.einsum("...ld,...sd->...ls", q, k)
    return torch.std_mean(scores, correction=0)[0]


def softmax_jacobian(weights):
    # the softmax of the logarithms of weights that sum to 1 gives them back
    scores = weights.log().detach().requires_grad_()
    p = torch.softmax(scores, dim=-1)
    rows = [torch.autograd.grad(p[..., i].sum(), scores, retain_graph=True)[0] for i in range(p.shape[-1])]
    return torch.stack(rows, dim=-2)


def gradient_norm(scores, scale):
    asking = scores.detach().clone().requires_grad_()
    weights = torch.softmax(asking * scale, dim=-1)
    squares = 0.0
    for i in range(weights.shape[-1]):
        (grad,) = torch.autograd.grad(weights[..., i].sum(), asking, retain_graph=True)
        squares += grad.pow(2).sum().item()
    return squares**0.5
