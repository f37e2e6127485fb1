import numpy as np
import torch


def attention(q, k, v, allowed=None):
    root = np.sqrt(np.sqrt(q.shape[-1]))
    scores = (q / root) @ (k / root).swapaxes(-1, -2)
    if allowed is None:
        allowed = torch.tensor(True)
    highest, _ = torch.where(allowed, scores, -1e30).max(dim=-1, keepdim=True)
    powers = torch.exp(torch.minimum(scores - highest, torch.zeros_like(scores))) * allowed
    weights = powers / powers.sum(-1, keepdim=True)
    out = torch.einsum("bhts,bhsd->bhtd", weights, v)
    return out, weights


def attention_sdpa(q, k, v, allowed=None):
    scaled = q / np.sqrt(q.shape[-1])
    return torch.nn.functional.scaled_dot_product_attention(scaled, k, v, allowed, scale=1)
