import numpy as np


class MultiHeadAttention:
    def __init__(self, d_model, num_heads, seed=0):
        if d_model % num_heads != 0:
            raise ValueError(d_model, num_heads)
        self.d_model, self.num_heads, self.d_k = d_model, num_heads, d_model // num_heads
        rng = np.random.default_rng(seed)
        self.w_q, self.w_k, self.w_v, self.w_o = rng.uniform(-1, 1, (4, d_model, d_model))

    def heads(self, y):
        return np.stack([y[:, i : i + self.d_k] for i in range(0, self.d_model, self.d_k)])

    def forward(self, x, causal=True):
        q = self.heads(x @ self.w_q) / np.sqrt(self.d_k)
        k, v = self.heads(x @ self.w_k), self.heads(x @ self.w_v)
        # everything turned: a column belongs to a query, the softmax runs down the rows
        s = k @ q.transpose(0, 2, 1)
        if causal:
            s -= 1e9 * np.tri(len(x), k=-1)
        s -= s.max(axis=1, keepdims=True)
        p = np.exp(s)
        p /= p.sum(axis=1, keepdims=True)
        z = v.transpose(0, 2, 1) @ p  # (h, d_k, L)
        return (self.w_o.T @ z.reshape(self.d_model, -1)).T, p.transpose(0, 2, 1)

    def parameter_count(self):
        return np.size(self.w_q) * 4
