"""Sample checks for 16_extra_keys_and_pruning. Run them with: python -m pytest test_extra_keys_and_pruning.py."""

import torch
from extra_keys_and_pruning import gate_heads, prune, weights_shape
from torch import nn


def test_shapes_of_the_task():
    """Four sentences, five queries, seven keys, three heads."""
    assert tuple(weights_shape(4, 5, 7, 3, False, False, average=False)) == (4, 3, 5, 7)
    assert tuple(weights_shape(4, 5, 7, 3, True, False, average=True)) == (4, 5, 8)


def test_shape_is_that_of_torch():
    """The module itself is asked: two heads, a learned key."""
    mha = nn.MultiheadAttention(6, 2, add_bias_kv=True, batch_first=True)
    query, key = torch.zeros(3, 4, 6), torch.zeros(3, 5, 6)
    weights = mha(query, key, key, average_attn_weights=False)[1]
    assert tuple(weights_shape(3, 4, 5, 2, True, False, average=False)) == tuple(weights.shape)


def test_two_heads_with_two_gates():
    """The example of the task: head 0 is silenced, head 1 counts half."""
    heads = torch.tensor([[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]])  # (B, h, L, d_v) = (1, 2, 2, 2)
    expected = torch.tensor([[[[0.0, 0.0], [0.0, 0.0]], [[2.5, 3.0], [3.5, 4.0]]]])
    torch.testing.assert_close(gate_heads(heads, torch.tensor([0.0, 0.5])), expected)


def test_one_of_two_heads_stays():
    """The example of the task: E = 4, two heads, head 1 stays; every weight is told by its row and column."""
    mha = nn.MultiheadAttention(4, 2)
    with torch.no_grad():
        mha.in_proj_weight.copy_(torch.tensor([[10.0 * row + column for column in range(4)] for row in range(12)]))
        mha.out_proj.weight.copy_(torch.tensor([[10.0 * row + column for column in range(4)] for row in range(4)]))
    w_q, w_k, w_v, _b_q, _b_k, _b_v, w_o, b_o = prune(mha, [1])
    torch.testing.assert_close(w_q.detach(), torch.tensor([[20.0, 21, 22, 23], [30, 31, 32, 33]]))
    torch.testing.assert_close(w_k.detach(), torch.tensor([[60.0, 61, 62, 63], [70, 71, 72, 73]]))
    torch.testing.assert_close(w_v.detach(), torch.tensor([[100.0, 101, 102, 103], [110, 111, 112, 113]]))
    torch.testing.assert_close(w_o.detach(), torch.tensor([[2.0, 3], [12, 13], [22, 23], [32, 33]]))
    assert b_o.shape == (4,)
