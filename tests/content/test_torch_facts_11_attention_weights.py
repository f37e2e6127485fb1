"""What 11_attention_weights teaches about nn.MultiheadAttention, as torch 2.13 does it."""

import inspect
import math

import pytest
import torch
from torch import nn

B, L, h, d = 4, 5, 3, 18


@pytest.fixture
def mha():
    """A batch-first module with random weights and biases."""
    made = nn.MultiheadAttention(d, h, batch_first=True).double().eval()
    with torch.no_grad():
        for seed, parameter in enumerate(made.parameters()):
            generator = torch.Generator().manual_seed(seed)
            parameter.copy_(torch.randn(parameter.shape, generator=generator, dtype=torch.float64) / d**0.5)
    return made


@pytest.fixture
def x():
    return torch.randn(B, L, d, generator=torch.Generator().manual_seed(9), dtype=torch.float64)


@pytest.mark.parametrize("batch_first", [True, False])
@pytest.mark.parametrize(
    ("switches", "shape"),
    [
        ({}, (B, L, L)),
        ({"average_attn_weights": False}, (B, h, L, L)),
        ({"need_weights": False}, None),
        ({"need_weights": False, "average_attn_weights": False}, None),
    ],
)
def test_second_item_of_the_pair(batch_first, switches, shape):
    """A pair comes back in any case; the weights are averaged by default, absent when switched off, batch in front."""
    made = nn.MultiheadAttention(d, h, batch_first=batch_first)
    x = torch.randn(B, L, d) if batch_first else torch.randn(L, B, d)
    out, weights = made(x, x, x, **switches)
    assert out.shape == x.shape
    assert weights is None if shape is None else weights.shape == shape


def test_average_is_the_mean_over_the_heads_and_hides_the_output(mha, x):
    """The averaged table is the mean of the heads' tables, whose rows sum to 1; the output does not follow from it."""
    out, averaged = mha(x, x, x)
    _out, each = mha(x, x, x, average_attn_weights=False)
    torch.testing.assert_close(averaged, each.mean(dim=1))
    torch.testing.assert_close(each.sum(dim=-1), torch.ones(B, h, L, dtype=torch.float64))
    w_v, b_v = mha.in_proj_weight[2 * d :], mha.in_proj_bias[2 * d :]
    from_average = mha.out_proj(averaged @ (x @ w_v.T + b_v))
    assert (out - from_average).abs().max() > 0.01


@pytest.mark.parametrize("training", [True, False])
def test_output_is_the_same_without_weights(mha, x, training):
    """Switching the weights off changes nothing in the output but its last digits."""
    mha.train(training)
    torch.testing.assert_close(mha(x, x, x, need_weights=False)[0], mha(x, x, x)[0])


def test_example_of_the_task():
    """The two heads of the task have the tables, the average and the output that it prints."""
    made = nn.MultiheadAttention(2, 2, batch_first=True)
    x = torch.eye(2)[None]
    with torch.no_grad():
        made.in_proj_weight.copy_(torch.cat([torch.eye(2), math.log(3) * torch.eye(2), torch.eye(2)]))
        made.out_proj.weight.copy_(torch.eye(2))
    out, each = made(x, x, x, average_attn_weights=False)
    torch.testing.assert_close(each[0, 0], torch.tensor([[0.75, 0.25], [0.50, 0.50]]))
    torch.testing.assert_close(each[0, 1], torch.tensor([[0.50, 0.50], [0.25, 0.75]]))
    torch.testing.assert_close(out[0, 0], torch.tensor([0.75, 0.50]))
    averaged = made(x, x, x)[1]
    torch.testing.assert_close(averaged[0], torch.tensor([[0.625, 0.375], [0.375, 0.625]]))


def test_fourth_place_is_the_padding_mask(mha, x):
    """A bool in the fourth place is taken for key_padding_mask, and refused."""
    assert list(inspect.signature(mha.forward).parameters)[3] == "key_padding_mask"
    with pytest.raises(TypeError, match="must be Tensor, not bool"):
        mha(x, x, x, False)


def test_one_input_is_not_enough(mha, x):
    """Query, key and value are all asked for."""
    with pytest.raises(TypeError, match=r"missing 2 required positional arguments: 'key' and 'value'"):
        mha(x)


def test_transposed_input_mixes_sentences(mha, x):
    """A batch-first module that is given (L, B, d) attends across sentences, without an error."""
    swapped = x.transpose(0, 1)
    out, weights = mha(swapped, swapped, swapped, average_attn_weights=False)
    assert weights.shape == (L, h, B, B)
    other = swapped.clone()
    other[:, 2] += 1
    changed = mha(other, other, other)[0] - out
    assert changed[:, 0].abs().max() > 0.01
