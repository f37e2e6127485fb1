"""What 12_in_proj teaches about the parameters of nn.MultiheadAttention, as torch 2.13 keeps them."""

import pytest
import torch
from torch import nn

B, L, S, E, h, d_k = 4, 5, 7, 18, 3, 6


def randomised(**options):
    """A module with random weights and biases."""
    made = nn.MultiheadAttention(E, h, **options).double().eval()
    with torch.no_grad():
        for seed, parameter in enumerate(made.parameters()):
            generator = torch.Generator().manual_seed(seed)
            parameter.copy_(torch.randn(parameter.shape, generator=generator, dtype=torch.float64) / E**0.5)
    return made


def from_parts(mha, weights, inputs):
    """Output of a module, computed from these three weights and the thirds of its packed bias."""
    biases = mha.in_proj_bias.chunk(3)
    q, k, v = [
        (x @ w.T + b).unflatten(-1, (h, d_k)).transpose(1, 2) for x, w, b in zip(inputs, weights, biases, strict=True)
    ]
    heads = (q @ k.mT / d_k**0.5).softmax(dim=-1) @ v
    return mha.out_proj(heads.transpose(1, 2).flatten(2))


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 0, 2), (0, 2, 1), (2, 1, 0)])
def test_thirds_of_rows_are_q_k_v(order):
    """Rows 0 to E are W_Q, E to 2E W_K, 2E to 3E W_V; no other order gives the output of the module."""
    mha = randomised(batch_first=True)
    query, memory = torch.randn(B, L, E, dtype=torch.float64), torch.randn(B, S, E, dtype=torch.float64)
    thirds = mha.in_proj_weight.chunk(3)
    ours = from_parts(mha, [thirds[i] for i in order], (query, memory, memory))
    assert torch.allclose(ours, mha(query, memory, memory)[0]) == (order == (0, 1, 2))


def test_other_widths_have_weights_of_their_own_and_one_bias():
    """Where kdim or vdim differs from embed_dim, three weights stand apart, and the bias stays in one vector."""
    mha = randomised(batch_first=True, kdim=10, vdim=7)
    assert mha.in_proj_weight is None
    weights = (mha.q_proj_weight, mha.k_proj_weight, mha.v_proj_weight)
    assert [tuple(weight.shape) for weight in weights] == [(E, E), (E, 10), (E, 7)]
    assert mha.in_proj_bias.shape == (3 * E,)
    inputs = [torch.randn(B, *shape, dtype=torch.float64) for shape in ((L, E), (S, 10), (S, 7))]
    torch.testing.assert_close(from_parts(mha, weights, inputs), mha(*inputs)[0])


@pytest.mark.parametrize("options", [{}, {"kdim": E, "vdim": E}])
def test_ordinary_modules_have_the_other_attributes_as_none(options):
    """The separate weights exist as attributes and are None, also where kdim and vdim are given as embed_dim."""
    mha = nn.MultiheadAttention(E, h, **options)
    assert mha.in_proj_weight.shape == (3 * E, E)
    assert mha.q_proj_weight is mha.k_proj_weight is mha.v_proj_weight is None


@pytest.mark.parametrize("widths", [{}, {"kdim": 10}])
def test_biases_start_at_zero_or_are_none(widths):
    """A new module has biases of 0, one without bias has None."""
    assert not nn.MultiheadAttention(E, h, **widths).in_proj_bias.any()
    assert nn.MultiheadAttention(E, h, bias=False, **widths).in_proj_bias is None


def test_layout_of_the_inputs_follows_batch_first():
    """A module takes (L, B, E) by default; with batch_first=True it gives the same for (B, L, E)."""
    first, second = randomised(), randomised(batch_first=True)
    assert (first.batch_first, second.batch_first) == (False, True)
    x = torch.randn(B, L, E, dtype=torch.float64)
    swapped = x.transpose(0, 1)
    torch.testing.assert_close(first(swapped, swapped, swapped)[0].transpose(0, 1), second(x, x, x)[0])


def test_split_takes_the_length_of_a_piece():
    """Torch's split with 3 makes pieces of three rows; chunk makes three pieces."""
    packed = torch.zeros(3 * E, E)
    assert len(packed.split(3)) == E
    assert [tuple(piece.shape) for piece in packed.chunk(3)] == [(E, E)] * 3


def test_example_of_the_task():
    """The numbers that the task prints for q, k and v."""
    weight, bias = torch.arange(1.0, 13.0).reshape(6, 2), torch.arange(10.0, 70.0, 10.0)
    projected = torch.eye(2) @ weight.T + bias  # (L, 3E)
    assert projected.T.tolist() == [[11, 12], [23, 24], [35, 36], [47, 48], [59, 60], [71, 72]]
