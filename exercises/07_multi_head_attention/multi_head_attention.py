"""Exercise 07: multi-head attention as a class, from the input to the output."""

import numpy as np


class MultiHeadAttention:
    """Self-attention with several heads: each position looks at the positions of its own sequence.

    The constructor is ready. Write the two methods below it.

    Attributes:
        d_model: numbers for one position, in the input and in the output.
        num_heads: h, the number of heads; it divides d_model.
        d_k: d_model // num_heads, the width of one head: of its queries, its keys and its values.
        w_q, w_k, w_v, w_o: the matrices W^Q, W^K, W^V and W^O, each of shape (d_model, d_model), rows for what goes in
            and columns for what comes out. Columns i * d_k up to (i + 1) * d_k of the first three belong to head i,
            and so do these rows of w_o.
    """

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
        """Lets every head look at the sequence, then joins and mixes the heads: (L, d_model) -> out and weights.

        Args:
            x: shape (L, d_model), one row for each position.
            causal: whether a position may look only at itself and at what came before; with False, at everything.

        Returns:
            A tuple of two arrays: out, shape (L, d_model), and weights, shape (h, L, L). weights[i, t, s] says how much
            of position s goes into position t in head i; each row sums to 1.
        """
        # TODO: write this method, then the one below.
        raise NotImplementedError

    def parameter_count(self) -> int:
        """The number of parameters that are trained: all numbers of the four matrices."""
        raise NotImplementedError
