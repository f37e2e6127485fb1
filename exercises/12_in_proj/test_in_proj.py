"""Sample checks for 12_in_proj. Run them with: python -m pytest test_in_proj.py."""

import torch
from in_proj import project, split_in_proj
from torch import nn


def module_of_the_readme(batch_first=True):
    """E = 2, h = 2; the weights count from 1 to 12, the biases from 10 to 60."""
    mha = nn.MultiheadAttention(embed_dim=2, num_heads=2, batch_first=batch_first)
    with torch.no_grad():
        mha.in_proj_weight.copy_(torch.arange(1.0, 13.0).reshape(6, 2))
        mha.in_proj_bias.copy_(torch.arange(10.0, 70.0, 10.0))
    return mha


def test_thirds_of_the_readme():
    """Two rows each for W_Q, W_K and W_V, two numbers each for their biases."""
    expected = [
        *([[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]], [[9.0, 10.0], [11.0, 12.0]]),
        *([10.0, 20.0], [30.0, 40.0], [50.0, 60.0]),
    ]
    for got, want in zip(split_in_proj(module_of_the_readme()), expected, strict=True):
        torch.testing.assert_close(got.detach(), torch.tensor(want))


def test_biases_of_a_module_without_bias():
    """Three weights and three times None."""
    w_q, w_k, w_v, *biases = split_in_proj(nn.MultiheadAttention(6, 3, bias=False))
    assert w_q.shape == w_k.shape == w_v.shape == (6, 6)
    assert biases == [None, None, None]


def test_heads_of_the_readme():
    """One sentence of two positions; each head has one number for each of them."""
    x = torch.tensor([[[1.0, 0.0], [0.0, 1.0]]])  # (B, L, E) = (1, 2, 2)
    expected = [
        [[[[11.0], [12.0]], [[23.0], [24.0]]]],  # q, (B, h, L, d_k) = (1, 2, 2, 1)
        [[[[35.0], [36.0]], [[47.0], [48.0]]]],  # k
        [[[[59.0], [60.0]], [[71.0], [72.0]]]],  # v
    ]
    for got, want in zip(project(module_of_the_readme(), x, x, x), expected, strict=True):
        torch.testing.assert_close(got.detach(), torch.tensor(want))
