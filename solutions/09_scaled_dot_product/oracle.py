"""Oracle of 09_scaled_dot_product: softmax(QKᵀ / √d_k) V number by number, with Python's own floats."""

import math

import torch


def attention(q, k, v, allowed=None):
    """A weight is 1 / sum of exp(other score - own score) over the keys that are allowed: -> output, weights."""
    B, h, L, d_k = q.shape
    S, d_v = v.shape[2:]
    seen = torch.ones(B, h, L, S).tolist() if allowed is None else allowed.expand(B, h, L, S).tolist()
    out = torch.zeros(B, h, L, d_v, dtype=torch.float64)
    weights = torch.zeros(B, h, L, S, dtype=torch.float64)
    for b in range(B):
        for i in range(h):
            queries, keys, values = (each[b, i].tolist() for each in (q, k, v))
            for t in range(L):
                scores = [math.fsum(map(math.prod, zip(queries[t], key, strict=True))) / math.sqrt(d_k) for key in keys]
                row = _shares(scores, seen[b][i][t])
                weights[b, i, t] = torch.tensor(row, dtype=torch.float64)
                for c in range(d_v):
                    out[b, i, t, c] = math.fsum(row[s] * values[s][c] for s in range(S))
    return out, weights


def _shares(scores, seen):
    among = [score for score, may in zip(scores, seen, strict=True) if may]
    totals = [math.fsum(math.exp(min(other - score, 700.0)) for other in among) for score in scores]
    return [1 / total if may else 0.0 for total, may in zip(totals, seen, strict=True)]


def attention_sdpa(q, k, v, allowed=None):
    """The output alone."""
    return attention(q, k, v, allowed)[0]
