"""Sample checks for 11_attention_weights. Run them with: python -m pytest test_attention_weights.py."""

import math

import torch
from attention_weights import mean_weights, output_only, per_head_weights
from torch import nn

X = torch.tensor([[[1.0, 0.0], [0.0, 1.0]]])  # (B, L, d) = (1, 2, 2)


def attention_of_the_readme():
    """Two heads of one column each: head 0 compares the first column of positions, head 1 the second one."""
    mha = nn.MultiheadAttention(embed_dim=2, num_heads=2, batch_first=True)
    with torch.no_grad():
        w_q, w_k, w_v = torch.eye(2), math.log(3) * torch.eye(2), torch.eye(2)
        mha.in_proj_weight.copy_(torch.cat([w_q, w_k, w_v]))
        mha.out_proj.weight.copy_(torch.eye(2))
    return mha.eval()


def test_average_of_the_readme():
    """The table is the average of both heads."""
    expected = torch.tensor([[[0.625, 0.375], [0.375, 0.625]]])
    torch.testing.assert_close(mean_weights(attention_of_the_readme(), X), expected)


def test_heads_of_the_readme():
    """Each head has a table of its own."""
    head_0, head_1 = [[0.75, 0.25], [0.50, 0.50]], [[0.50, 0.50], [0.25, 0.75]]
    expected = torch.tensor([[head_0, head_1]])  # (B, h, L, S) = (1, 2, 2, 2)
    torch.testing.assert_close(per_head_weights(attention_of_the_readme(), X), expected)


def test_output_of_the_readme():
    """Head 0 fills the first column, head 1 the second."""
    expected = torch.tensor([[[0.75, 0.50], [0.50, 0.75]]])
    torch.testing.assert_close(output_only(attention_of_the_readme(), X), expected)
