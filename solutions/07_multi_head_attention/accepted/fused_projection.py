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
        qkv = x @ np.hstack([self.w_q, self.w_k, self.w_v])  # (L, 3 * d_model)
        q, k, v = qkv.reshape(len(x), 3, self.num_heads, self.d_k).transpose(1, 2, 0, 3)
        # the scale on both sides, the keys brought to (h, d_k, L)
        root = self.d_k**0.25
        scores = (q / root) @ np.moveaxis(k / root, 1, 2)
        self.last_weights = self._softmax(np.where(self._seen(len(x), causal), scores, np.finfo(float).min))
        z = np.swapaxes(self.last_weights @ v, 0, 1).reshape(len(x), -1)
        return z @ self.w_o, self.last_weights

    @staticmethod
    def _seen(length, causal):
        i = np.arange(length)
        return i[:, None] >= i if causal else np.ones((length, length), bool)

    @staticmethod
    def _softmax(x):
        x = np.exp(x - np.max(x, -1, keepdims=True))
        return x / np.sum(x, -1, keepdims=True)

    def parameter_count(self):
        return int(np.prod(self.w_q.shape)) * 4
