"""What exercise 16 tells of torch's added keys, and of gates and pruning, holds in the torch that is installed."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn
from torch.nn.functional import linear, scaled_dot_product_attention

B, L, S, E, h = 4, 5, 7, 12, 3
d_k = E // h


def made(**options: bool) -> nn.MultiheadAttention:
    """A batch-first module with random weights and biases."""
    mha = nn.MultiheadAttention(E, h, batch_first=True, **options).double().eval()
    with torch.no_grad():
        for seed, parameter in enumerate(mha.parameters()):
            parameter.copy_(drawn(*parameter.shape, seed=seed) / E**0.5)
    return mha


def drawn(*size: int, seed: int = 9) -> Tensor:
    return torch.randn(size, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


@pytest.mark.parametrize(("bias", "zero"), [(True, True), (True, False), (False, True), (False, False)])
def test_each_option_adds_a_column_of_weights(bias: bool, zero: bool) -> None:
    """In torch 2.13 the weights have one more column for each option; rows sum to 1, and the output keeps its shape."""
    query, key = drawn(B, L, E), drawn(B, S, E, seed=8)
    for average, shape in ((True, (B, L, S + bias + zero)), (False, (B, h, L, S + bias + zero))):
        out, weights = made(add_bias_kv=bias, add_zero_attn=zero)(query, key, key, average_attn_weights=average)
        assert out.shape == (B, L, E)
        assert weights.shape == shape
        torch.testing.assert_close(weights.sum(dim=-1), torch.ones(shape[:-1], dtype=torch.float64))


def test_learned_key_comes_before_the_zero_key() -> None:
    """Behind the S given keys stands the learned one, then the zero one: both are alike where bias_k is 0."""
    mha, x = made(add_bias_kv=True, add_zero_attn=True), drawn(B, S, E)
    assert mha.bias_k.shape == mha.bias_v.shape == (1, 1, E)
    before = mha(x, x, x)[1].log()
    with torch.no_grad():
        mha.bias_k.zero_()
    after = mha(x, x, x)[1]
    torch.testing.assert_close(after[..., S], after[..., S + 1])
    assert (before[..., S] - before[..., S + 1]).abs().min() > 1e-4


def test_added_keys_are_seen_whatever_the_masks_say() -> None:
    """Masks are made for the given keys, the module extends them, and no mask hides the added keys."""
    mha, x = made(add_bias_kv=True, add_zero_attn=True), drawn(B, S, E)
    causal = torch.ones(S, S, dtype=torch.bool).triu(diagonal=1)
    padding = torch.ones(B, S, dtype=torch.bool)
    weights = mha(x, x, x, attn_mask=causal)[1]
    assert (weights[:, 0, 1:S] == 0).all()
    assert (weights[:, 0, S:] > 0).all()
    assert (mha(x, x, x, key_padding_mask=padding)[1][..., S:].sum(dim=-1) - 1).abs().max() < 1e-12
    with pytest.raises(RuntimeError, match=r"should be \(7, 7\)"):
        mha(x, x, x, attn_mask=torch.zeros(S, S + 2, dtype=torch.bool))


@pytest.mark.parametrize("keep", [[0, 2], [1], [0, 1, 2]])
def test_pruned_layer_is_the_layer_with_closed_gates(keep: list[int]) -> None:
    """Rows of W_Q, W_K, W_V and columns of W_O: without those of a head comes what a gate of 0 gives."""
    mha, x = made(), drawn(B, L, E)
    rows = torch.cat([torch.arange(i * d_k, (i + 1) * d_k) for i in keep])
    q, k, v = (
        linear(x, weight[rows], bias[rows]).unflatten(-1, (len(keep), d_k)).transpose(1, 2)
        for weight, bias in zip(mha.in_proj_weight.chunk(3), mha.in_proj_bias.chunk(3), strict=True)
    )
    joined = scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2)
    smaller = linear(joined, mha.out_proj.weight[:, rows], mha.out_proj.bias)
    gates = torch.zeros(E, dtype=torch.float64)
    gates[rows] = 1.0  # a head times its gate, or its columns of W_O: that is the same product
    with torch.no_grad():
        mha.out_proj.weight.mul_(gates)
    torch.testing.assert_close(smaller, mha(x, x, x)[0])
