"""Oracle of 07_multi_head_attention: torch's own module, given the same four matrices."""

import numpy as np
import torch
from torch import nn


class MultiHeadAttention:
    """A shell around nn.MultiheadAttention without biases, which multiplies by the transpose of what it is given."""

    def __init__(self, d_model, num_heads, seed=0):
        if num_heads < 1 or d_model % num_heads != 0:
            raise ValueError(f"d_model = {d_model} cannot be split into num_heads = {num_heads} heads of equal width")
        self.d_model, self.num_heads, self.d_k = d_model, num_heads, d_model // num_heads
        drawn = np.random.default_rng(seed).standard_normal((4, d_model, d_model))
        self.w_q, self.w_k, self.w_v, self.w_o = drawn / np.sqrt(d_model)

    def forward(self, x, causal=True):
        """(L, d_model) -> (L, d_model), (h, L, L); its masks say what may not be seen."""
        rows = torch.as_tensor(x, dtype=torch.float64)
        later = torch.ones(len(x), len(x), dtype=torch.bool).triu(1) if causal else None
        with torch.no_grad():
            out, weights = self._module()(rows, rows, rows, attn_mask=later, average_attn_weights=False)
        return out.numpy(), weights.numpy()

    def _module(self):
        q, k, v, o = (torch.tensor(w, dtype=torch.float64).T for w in (self.w_q, self.w_k, self.w_v, self.w_o))
        module = nn.MultiheadAttention(self.d_model, self.num_heads, bias=False, dtype=torch.float64)
        module.load_state_dict({"in_proj_weight": torch.cat([q, k, v]), "out_proj.weight": o})
        return module

    def parameter_count(self):
        """What torch counts as parameters."""
        return sum(parameter.numel() for parameter in self._module().parameters())
