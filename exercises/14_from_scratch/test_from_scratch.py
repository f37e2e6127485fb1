"""Sample checks for 14_from_scratch. Run them with: python -m pytest test_from_scratch.py."""

import pytest
import torch
from from_scratch import MultiHeadAttention
from torch import nn


def test_example_of_the_task():
    """E = 4, two heads, identity matrices, no biases: head 0 looks at both keys, head 1 mostly at the first."""
    mha = nn.MultiheadAttention(4, 2, bias=False, batch_first=True)
    with torch.no_grad():
        mha.in_proj_weight.copy_(torch.eye(4).repeat(3, 1))
        mha.out_proj.weight.copy_(torch.eye(4))
    query = torch.tensor([[[0.0, 0.0, 2.0, 0.0]]])  # (B, L, E) = (1, 1, 4)
    key = torch.tensor([[[1.0, 5.0, 1.0, 0.0], [3.0, 7.0, 0.0, 0.0]]])  # (B, S, E) = (1, 2, 4)
    out, weights = MultiHeadAttention.from_torch(mha)(query, key, key)
    torch.testing.assert_close(weights, torch.tensor([[[[0.5, 0.5]], [[0.8044, 0.1956]]]]), atol=1e-4, rtol=0)
    torch.testing.assert_close(out, torch.tensor([[[2.0, 6.0, 0.8044, 0.0]]]), atol=1e-4, rtol=0)


def test_new_module_of_torch():
    """A new module of torch has biases of 0, so they are set to something else first."""
    mha = nn.MultiheadAttention(12, 3, batch_first=True)
    nn.init.normal_(mha.in_proj_bias)
    nn.init.normal_(mha.out_proj.bias)
    query, key, value = torch.randn(2, 5, 12), torch.randn(2, 7, 12), torch.randn(2, 7, 12)
    expected, expected_weights = mha(query, key, value, average_attn_weights=False)
    out, weights = MultiHeadAttention.from_torch(mha)(query, key, value)
    torch.testing.assert_close(out, expected, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(weights, expected_weights, atol=1e-5, rtol=1e-5)


def test_indivisible_width():
    """Ten numbers cannot be given to four heads."""
    with pytest.raises((ValueError, AssertionError)):
        MultiHeadAttention(10, 4)


def test_count_of_parameters():
    """Four matrices and four biases: 4 · 24² + 4 · 24 numbers."""
    assert sum(parameter.numel() for parameter in MultiHeadAttention(24, 4).parameters()) == 2_400
