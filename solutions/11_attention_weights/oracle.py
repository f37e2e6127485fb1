"""Oracle of 11_attention_weights: every number by itself, from the parameters and the formula of the paper."""

import math

import torch


def _row(weight, bias, numbers):
    """One row of a projection: the sum of products, and the bias."""
    return math.fsum(w * n for w, n in zip(weight, numbers, strict=True)) + bias


def _attended(mha, x):
    """Weights [b][i][t][s] and output [b][t][j] as nested lists."""
    _, L, d = x.shape
    d_k = d // mha.num_heads
    packed, biases = mha.in_proj_weight.tolist(), mha.in_proj_bias.tolist()
    tables, outputs = [], []
    for sentence in x.tolist():
        rows = [[_row(w, b, token) for w, b in zip(packed, biases, strict=True)] for token in sentence]
        of_heads, joined = [], [[] for _ in range(L)]
        for i in range(mha.num_heads):
            q, k, v = (slice(block * d + i * d_k, block * d + (i + 1) * d_k) for block in range(3))
            table = []
            for t in range(L):
                scores = [_row(rows[t][q], 0.0, rows[s][k]) / math.sqrt(d_k) for s in range(L)]
                powers = [math.exp(score - max(scores)) for score in scores]
                table.append([power / math.fsum(powers) for power in powers])
                columns = zip(*(rows[s][v] for s in range(L)), strict=True)
                joined[t] += [_row(column, 0.0, table[t]) for column in columns]
            of_heads.append(table)
        tables.append(of_heads)
        out = mha.out_proj
        outputs.append(
            [[_row(w, b, row) for w, b in zip(out.weight.tolist(), out.bias.tolist(), strict=True)] for row in joined]
        )
    return tables, outputs


def mean_weights(mha, x):
    """Weights averaged over the heads: (B, L, d) -> (B, L, S), S = L."""
    tables, _ = _attended(mha, x)
    means = [
        [[math.fsum(seen) / len(seen) for seen in zip(*rows, strict=True)] for rows in zip(*heads, strict=True)]
        for heads in tables
    ]
    return torch.tensor(means, dtype=x.dtype)  # (B, L, S)


def per_head_weights(mha, x):
    """Weights of each head: (B, L, d) -> (B, h, L, S), S = L."""
    return torch.tensor(_attended(mha, x)[0], dtype=x.dtype)  # (B, h, L, S)


def output_only(mha, x):
    """The output: (B, L, d) -> (B, L, d)."""
    return torch.tensor(_attended(mha, x)[1], dtype=x.dtype)  # (B, L, d)
