import torch
from torch.nn.functional import log_softmax, scaled_dot_product_attention


def attention(q, k, v, allowed=None):
    d_k = torch.tensor(q.shape[-1])
    scores = torch.einsum("bhld,bhsd->bhls", q, k) / torch.sqrt(d_k)
    if allowed is not None:
        blocked = torch.full(scores.shape, -torch.inf, dtype=scores.dtype)
        scores = torch.where(allowed, scores, blocked)
    weights = log_softmax(scores, dim=-1).exp()
    return weights.matmul(v), weights


def attention_sdpa(q, k, v, allowed=None):
    if allowed is None:
        return scaled_dot_product_attention(q, k, v)
    blocked = torch.zeros(allowed.shape, dtype=q.dtype).masked_fill(allowed == False, -torch.inf)  # noqa: E712
    return scaled_dot_product_attention(q, k, v, blocked, 0.0, False)
