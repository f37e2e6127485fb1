"""With the identity matrix for values, the one call gives the weights themselves."""

import torch
from torch.nn import functional as F


def attention(q, k, v, allowed=None):
    identity = torch.eye(k.size(2), dtype=q.dtype)
    weights = F.scaled_dot_product_attention(q, k, identity.expand(*k.shape[:2], -1, -1), allowed)
    return torch.matmul(weights, v), weights


def attention_sdpa(q, k, v, allowed=None):
    return attention(q, k, v, allowed)[0]
