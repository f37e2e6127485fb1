import math

import numpy as np


class MultiHeadAttention:
    def __init__(self, d_model, num_heads, seed=0):
        if num_heads < 1 or d_model % num_heads != 0:
            raise ValueError(f"d_model = {d_model} cannot be split into num_heads = {num_heads} heads of equal width")
        self.d_model = d_model
        self.num_heads = num_heads
        self.d_k = d_model // num_heads
        rng = np.random.default_rng(seed)
        self.w_q, self.w_k, self.w_v, self.w_o = rng.standard_normal((4, d_model, d_model)) / np.sqrt(d_model)

    def forward(self, x, causal=True):
        q, k, v = (self._times(x, w) for w in (self.w_q, self.w_k, self.w_v))
        L, d, d_k = len(x), self.d_model, self.d_k
        joined = [[0.0] * d for _ in range(L)]
        weights = [[[0.0] * L for _ in range(L)] for _ in range(self.num_heads)]
        for i in range(self.num_heads):
            first = i * d_k
            for t in range(L):
                keys = range(t + 1 if causal else L)
                scores = [sum(q[t][first + c] * k[s][first + c] for c in range(d_k)) / math.sqrt(d_k) for s in keys]
                powers = [math.exp(score - max(scores)) for score in scores]
                for s in keys:
                    weights[i][t][s] = powers[s] / sum(powers)
                    for c in range(d_k):
                        joined[t][first + c] += weights[i][t][s] * v[s][first + c]
        return np.array(self._times(joined, self.w_o)), np.array(weights)

    def _times(self, rows, w):
        return [[sum(float(a) * float(w[j, c]) for j, a in enumerate(row)) for c in range(w.shape[1])] for row in rows]

    def parameter_count(self):
        count = 0
        for w in [self.w_q, self.w_k, self.w_v, self.w_o]:
            rows, columns = w.shape
            count += rows * columns
        return count
