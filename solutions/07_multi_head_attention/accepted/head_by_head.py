import numpy as np


def softmax(s):
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


class MultiHeadAttention:
    def __init__(self, d_model, h, seed=0):
        assert d_model % h == 0
        self.h, self.d_k = h, d_model // h
        r = np.random.RandomState(seed)
        self.w_q = r.randn(d_model, d_model)
        self.w_k = r.randn(d_model, d_model)
        self.w_v = r.randn(d_model, d_model)
        self.w_o = r.randn(d_model, d_model)

    def forward(self, x, causal=True):
        heads, tables = [], []
        for i in range(self.h):
            own = slice(i * self.d_k, (i + 1) * self.d_k)
            q, k, v = x @ self.w_q[:, own], x @ self.w_k[:, own], x @ self.w_v[:, own]
            s = (q @ k.T).astype(float) / self.d_k**0.5
            if causal:
                s[np.triu_indices(len(x), 1)] = -1e9
            tables.append(softmax(s))
            heads.append(tables[-1] @ v)
        return np.concatenate(heads, axis=1) @ self.w_o, np.array(tables)

    def parameter_count(self):
        return sum(w.size for w in (self.w_q, self.w_k, self.w_v, self.w_o))
