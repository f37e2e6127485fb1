import numpy as np


class MultiHeadAttention:
    """No mask at all: a query is only ever shown the positions up to its own."""

    def __init__(self, d_model, num_heads, seed=0):
        if d_model % num_heads != 0:
            raise AssertionError("embed_dim must be divisible by num_heads")
        self.num_heads = num_heads
        rng = np.random.default_rng(seed)
        self.w_q, self.w_k, self.w_v, self.w_o = (rng.standard_normal((d_model, d_model)) for _ in range(4))

    def forward(self, x, causal=True):
        L = x.shape[0]
        Q, K, V = (np.split(x @ w, self.num_heads, axis=-1) for w in (self.w_q, self.w_k, self.w_v))
        weights = np.zeros((self.num_heads, L, L))
        out = 0
        for i, (q, k, v) in enumerate(zip(Q, K, V)):
            z = np.empty(q.shape)
            for t in range(L):
                end = t + 1 if causal else L
                s = k[:end] @ q[t] / np.sqrt(q.shape[1])
                e = np.exp(s - s.max())
                weights[i, t, :end] = e / e.sum()
                z[t] = weights[i, t, :end] @ v[:end]
            rows = np.split(self.w_o, self.num_heads, axis=0)[i]
            out = out + z @ rows  # W^O as a sum over the heads
        return out, weights

    def parameter_count(self):
        return self.w_q.size + self.w_k.size + self.w_v.size + self.w_o.size
