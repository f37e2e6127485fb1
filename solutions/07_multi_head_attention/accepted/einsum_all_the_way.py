import math

import numpy as np


class MultiHeadAttention:
    def __init__(self, d_model: int, num_heads: int, seed: int = 0):
        if d_model % num_heads:
            raise ValueError("indivisible")
        self.d_model = d_model
        self.num_heads = num_heads
        rng = np.random.default_rng(seed)
        for name in ("w_q", "w_k", "w_v", "w_o"):
            setattr(self, name, rng.normal(size=(d_model, d_model)))

    def forward(self, x, causal=True):
        n, h = self.d_model, self.num_heads
        w_q, w_k, w_v = (w.reshape(n, h, n // h) for w in (self.w_q, self.w_k, self.w_v))
        w_o = self.w_o.reshape(h, n // h, n)
        q = np.einsum("ld,dhe->hle", x, w_q)
        k = np.einsum("ld,dhe->hle", x, w_k)
        v = np.einsum("ld,dhe->hle", x, w_v)
        s = np.einsum("hle,hse->hls", q, k) / math.sqrt(n // h)
        bias = np.triu(np.full(s.shape[1:], -np.inf), 1) if causal else 0.0
        p = np.exp(s + bias - np.max(s + bias, axis=-1, keepdims=True))
        a = p / np.einsum("hls->hl", p)[..., None]
        return np.einsum("hls,hse,hed->ld", a, v, w_o), a

    def parameter_count(self):
        return 4 * self.d_model**2
