import math

import torch


def score_std(q, k):
    d = q.shape[-1]
    scores = []
    for q_table, k_table in zip(q.reshape(-1, *q.shape[-2:]), k.reshape(-1, *k.shape[-2:])):
        for a in q_table:
            for b in k_table:
                scores.append(sum(float(a[i]) * float(b[i]) for i in range(d)))
    mean = sum(scores) / len(scores)
    return math.sqrt(sum((s - mean) ** 2 for s in scores) / len(scores))


def softmax_jacobian(weights):
    S = weights.shape[-1]
    result = weights.new_zeros(*weights.shape, S)
    for i in range(S):
        for j in range(S):
            kronecker = 1.0 if i == j else 0.0
            result[..., i, j] = weights[..., i] * (kronecker - weights[..., j])
    return result


def gradient_norm(scores, scale):
    total = 0.0
    for row in scores.reshape(-1, scores.shape[-1]):
        numbers = [scale * float(x) for x in row]
        peak = max(numbers)
        powers = [math.exp(x - peak) for x in numbers]
        p = [x / sum(powers) for x in powers]
        for i in range(len(p)):
            for j in range(len(p)):
                total += (scale * p[i] * ((i == j) - p[j])) ** 2
    return total**0.5
