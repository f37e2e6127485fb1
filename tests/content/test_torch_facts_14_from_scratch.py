"""What exercise 14 tells of nn.MultiheadAttention and of modules holds in the torch that is installed."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor, nn
from torch.nn.functional import linear

B, L, S, E, h = 4, 5, 7, 18, 3
d_k = E // h


def drawn(*size: int, seed: int = 9) -> Tensor:
    return torch.randn(size, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def made(*, bias: bool = True) -> nn.MultiheadAttention:
    """A batch-first module with random weights and biases."""
    mha = nn.MultiheadAttention(E, h, bias=bias, batch_first=True).double()
    with torch.no_grad():
        for seed, parameter in enumerate(mha.parameters()):
            parameter.copy_(drawn(*parameter.shape, seed=seed) / E**0.5)
    return mha


def by_hand(mha: nn.MultiheadAttention, inputs: list[Tensor], *, key_bias: bool = True) -> tuple[Tensor, Tensor]:
    """Output and weights of each head, step by step."""
    weights, biases = mha.in_proj_weight.chunk(3), mha.in_proj_bias.chunk(3)
    if not key_bias:
        biases = (biases[0], torch.zeros_like(biases[1]), biases[2])
    q, k, v = (
        linear(x, weight, bias).view(B, -1, h, d_k).transpose(1, 2)
        for x, weight, bias in zip(inputs, weights, biases, strict=True)
    )
    table = (q @ k.mT / math.sqrt(d_k)).softmax(dim=-1)
    joined = (table @ v).transpose(1, 2).reshape(B, -1, E)
    return linear(joined, mha.out_proj.weight, mha.out_proj.bias), table


@pytest.fixture
def inputs() -> list[Tensor]:
    return [drawn(B, length, E, seed=seed) for seed, length in ((10, L), (11, S), (12, S))]


def test_module_is_the_formula_with_biases(inputs: list[Tensor]) -> None:
    """By hand, with (out, in) weights and contiguous heads, comes what the module gives, to nine digits."""
    mha = made()
    out, table = mha(*inputs, average_attn_weights=False)
    for got, want in zip(by_hand(mha, inputs), (out, table), strict=True):
        torch.testing.assert_close(got, want, atol=1e-9, rtol=1e-9)


def test_bias_of_the_keys_changes_nothing(inputs: list[Tensor]) -> None:
    """It adds the same number to every score of a row, so it has no gradient either: no check can ask for it."""
    mha = made()
    out = by_hand(mha, inputs)[0]
    torch.testing.assert_close(by_hand(mha, inputs, key_bias=False)[0], out)
    mha(*inputs)[0].square().sum().backward()
    assert mha.in_proj_bias.grad is not None
    assert mha.in_proj_bias.grad[E : 2 * E].abs().max() < 1e-12


def test_parameters_have_the_shapes_of_the_task() -> None:
    """In torch 2.13 three projections lie in one parameter, and a module without bias has two parameters only."""
    shapes = {name: tuple(parameter.shape) for name, parameter in made().named_parameters()}
    weights = {"in_proj_weight": (3 * E, E), "out_proj.weight": (E, E)}
    assert shapes == {**weights, "in_proj_bias": (3 * E,), "out_proj.bias": (E,)}
    without = made(bias=False)
    assert {name: tuple(parameter.shape) for name, parameter in without.named_parameters()} == weights
    assert without.in_proj_bias is None
    assert without.out_proj.bias is None


def test_biases_of_a_new_module_are_zero() -> None:
    """So a copy without biases agrees with it."""
    mha = nn.MultiheadAttention(E, h)
    assert not mha.in_proj_bias.any()
    assert not mha.out_proj.bias.any()


@pytest.mark.parametrize(("bias", "count"), [(True, 2_400), (False, 2_304)])
def test_count_of_parameters(bias: bool, count: int) -> None:
    """4 E² numbers, and 4 E more with biases."""
    assert sum(p.numel() for p in nn.MultiheadAttention(24, 4, bias=bias).parameters()) == count


def test_sizes_that_do_not_fit_are_refused_by_two_exceptions() -> None:
    """In torch 2.13 an indivisible width is an AssertionError, fewer than one head a ValueError."""
    with pytest.raises(AssertionError, match="embed_dim must be divisible by num_heads"):
        nn.MultiheadAttention(10, 4)
    for num_heads in (0, -3):
        with pytest.raises(ValueError, match="must be greater than 0"):
            nn.MultiheadAttention(12, num_heads)


def test_only_parameters_and_layers_are_registered() -> None:
    """A plain tensor and a list of layers are unknown to state_dict, parameters and .double()."""

    class Unregistered(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = torch.ones(2, 2)
            self.layers = [nn.Linear(2, 2)]

    module = Unregistered().double()
    assert list(module.parameters()) == []
    assert module.state_dict() == {}
    assert module.weight.dtype == module.layers[0].weight.dtype == torch.float32


def test_parameter_of_a_parameter_shares_its_numbers() -> None:
    """nn.Parameter around a parameter, or around a third of one, makes no copy."""
    mha = made()
    shared = nn.Parameter(mha.in_proj_weight[:E])
    with torch.no_grad():
        mha.in_proj_weight.zero_()
    assert not shared.any()


def test_root_as_a_float32_tensor_loses_digits() -> None:
    """A scale that is a float32 tensor without axes keeps the scores in float64, but only seven of their digits."""
    scores = drawn(3, 4)
    root = torch.sqrt(torch.tensor(float(d_k)))
    got = scores / root
    assert got.dtype == torch.float64
    assert 1e-9 < (got - scores / math.sqrt(d_k)).abs().max() < 1e-6


class Derived(nn.MultiheadAttention):
    """A layer that inherits everything."""


@pytest.mark.parametrize("kind", [nn.MultiheadAttention, Derived])
@pytest.mark.parametrize("switches", [{}, {"average_attn_weights": False}, {"need_weights": False}], ids=str)
def test_a_wrong_width_is_refused_in_the_words_of_torch(kind: type, switches: dict[str, bool]) -> None:
    """In training mode the module and a class derived from it say what they expected: by this they are known."""
    wide = [drawn(B, length, E + 1) for length in (L, S, S)]
    layer = kind(E, h, batch_first=True).double().train()
    with pytest.raises(AssertionError, match=f"was expecting embedding dimension of {E}, but got {E + 1}"):
        layer(*wide, **switches)
