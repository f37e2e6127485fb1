from typing import NamedTuple

import numpy as np


class Attended(NamedTuple):
    out: np.ndarray
    weights: np.ndarray


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
        h, d_k, n = self.num_heads, self.d_k, len(x)
        q = np.ascontiguousarray((x @ self.w_q).T.reshape(h, d_k, n).transpose(0, 2, 1))
        k = (x @ self.w_k).T.reshape(h, d_k, n)
        v = (x @ self.w_v).reshape(n, h, d_k).swapaxes(0, 1)
        scores = np.multiply(np.matmul(q, k), d_k**-0.5)
        seen = np.tril(np.ones((1, n, n))) if causal else np.ones((1, n, n))
        highest = np.max(scores, axis=2, keepdims=True, where=seen > 0, initial=-np.inf)
        powers = np.exp(np.minimum(scores - highest, 0)) * seen  # what is above the maximum is not seen
        weights = powers / powers.sum(axis=2, keepdims=True)
        joined = np.zeros((n, h * d_k))
        for i in range(h):
            joined[:, i * d_k : (i + 1) * d_k] = weights[i] @ v[i]
        return Attended(joined.dot(self.w_o), weights)

    def parameter_count(self):
        return (self.d_model * self.d_k * 3) * self.num_heads + self.d_model**2
