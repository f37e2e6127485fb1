"""Reference for 07_multi_head_attention."""

import numpy as np


class MultiHeadAttention:
    """Self-attention with several heads; w_q, w_k, w_v and w_o have the shape (d_model, d_model)."""

    def __init__(self, d_model: int, num_heads: int, seed: int = 0) -> None:
        """Draws the four matrices, the same ones for the same seed; refuses sizes that do not fit."""
        if num_heads < 1 or d_model % num_heads != 0:
            raise ValueError(f"d_model = {d_model} cannot be split into num_heads = {num_heads} heads of equal width")
        self.d_model = d_model
        self.num_heads = num_heads
        self.d_k = d_model // num_heads
        rng = np.random.default_rng(seed)
        self.w_q, self.w_k, self.w_v, self.w_o = rng.standard_normal((4, d_model, d_model)) / np.sqrt(d_model)

    def forward(self, x: np.ndarray, causal: bool = True) -> tuple[np.ndarray, np.ndarray]:
        """Attention in every head, the heads joined and mixed: (L, d_model) -> (L, d_model), (h, L, L)."""
        q, k, v = (self._split(x @ w) for w in (self.w_q, self.w_k, self.w_v))  # (h, L, d_k) each
        scores = q @ k.swapaxes(-1, -2) / np.sqrt(self.d_k)  # (h, L, L)
        if causal:
            allowed = np.tril(np.ones(scores.shape[1:], dtype=bool))  # (L, L), the same for all heads
            scores = np.where(allowed, scores, -np.inf)
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights = powers / powers.sum(axis=-1, keepdims=True)
        heads = weights @ v  # (h, L, d_k)
        joined = heads.transpose(1, 0, 2).reshape(x.shape)  # (L, h, d_k) -> (L, d_model)
        return joined @ self.w_o, weights

    def _split(self, x: np.ndarray) -> np.ndarray:
        """Head i gets its own columns: (L, d_model) -> (h, L, d_k)."""
        return x.reshape(len(x), self.num_heads, self.d_k).transpose(1, 0, 2)

    def parameter_count(self) -> int:
        """All numbers of the four matrices, whatever the number of heads."""
        return self.w_q.size + self.w_k.size + self.w_v.size + self.w_o.size
