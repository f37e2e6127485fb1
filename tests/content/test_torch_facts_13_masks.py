"""What 13_masks teaches about the masks of nn.MultiheadAttention and of SDPA, as torch 2.13 reads them."""

import inspect
import math

import pytest
import torch
from torch import nn

B, L, S, h, d = 3, 5, 7, 4, 24
FUTURE = torch.ones(L, L, dtype=torch.bool).triu(1)
LENGTHS = torch.tensor([5, 3, 1])
PADDING = torch.arange(L) >= LENGTHS[:, None]


def attention(*, frozen=False, dtype=torch.float64, heads=h):
    """A batch-first module in evaluation mode; where it is frozen, torch takes its fast path."""
    made = nn.MultiheadAttention(d, heads, batch_first=True).to(dtype).eval()
    with torch.no_grad():
        for seed, parameter in enumerate(made.parameters()):
            generator = torch.Generator().manual_seed(seed)
            parameter.copy_(torch.randn(parameter.shape, generator=generator) / d**0.5)
    return made.requires_grad_(not frozen)


def numbers(*shape, dtype=torch.float64):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(9), dtype=dtype)


def weights_of(mha, x, **masks):
    return mha(x, x, x, average_attn_weights=False, **masks)[1].detach()


@pytest.mark.parametrize("frozen", [False, True])
def test_true_is_blocked_in_both_masks_of_the_module(frozen):
    """True takes the key out, for one query (attn_mask) or for all queries of a sentence (key_padding_mask)."""
    mha, x = attention(frozen=frozen), numbers(B, L, d)
    causal, padded = weights_of(mha, x, attn_mask=FUTURE), weights_of(mha, x, key_padding_mask=PADDING)
    assert torch.equal(causal == 0, FUTURE.expand(B, h, L, L))
    assert torch.equal(padded == 0, PADDING[:, None, None].expand(B, h, L, L))


def test_true_is_allowed_for_sdpa():
    """The same bool mask must be inverted for scaled_dot_product_attention, which refuses whole numbers."""
    q, k, v = numbers(B, h, L, 6), numbers(B, h, S, 6), torch.eye(S, dtype=torch.float64).expand(B, h, S, S)
    allowed = torch.ones(L, S, dtype=torch.bool).tril(1)
    weights = nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=allowed)
    assert torch.equal(weights != 0, allowed.expand(B, h, L, S))
    with pytest.raises(RuntimeError, match="Expected attn_mask dtype to be bool or float"):
        nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=allowed.long())


@pytest.mark.parametrize("frozen", [False, True])
def test_ones_are_added(frozen):
    """A float mask of 0 and 1 makes the keys that should be hidden e times as strong, against the others."""
    mha, x = attention(frozen=frozen), numbers(B, L, d)
    plain, masked = weights_of(mha, x), weights_of(mha, x, attn_mask=FUTURE.double())
    before, after = plain[..., 0, 1] / plain[..., 0, 0], masked[..., 0, 1] / masked[..., 0, 0]
    torch.testing.assert_close(after, math.e * before)


@pytest.mark.parametrize("frozen", [False, True])
def test_a_float_mask_needs_the_dtype_of_the_scores(frozen):
    """The causal mask that torch makes is float32 unless told otherwise, which float64 scores refuse."""
    mha, x = attention(frozen=frozen), numbers(B, L, d)
    make = nn.Transformer.generate_square_subsequent_mask
    torch.testing.assert_close(
        weights_of(mha, x, attn_mask=make(L, dtype=x.dtype)), weights_of(mha, x, attn_mask=FUTURE)
    )
    with pytest.raises(RuntimeError, match="Input dtypes must be the same"):
        mha(x, x, x, attn_mask=make(L))


@pytest.mark.parametrize("name", ["attn_mask", "key_padding_mask"])
def test_whole_numbers_are_refused(name):
    """A mask of whole numbers is an AssertionError that names the mask."""
    x = numbers(B, L, d)
    with pytest.raises(AssertionError, match=f"only bool and floating types of {name} are supported"):
        attention()(x, x, x, **{name: (FUTURE if name == "attn_mask" else PADDING).int()})


def test_fourth_argument_is_the_padding_mask():
    """A causal mask in the fourth place is refused for its shape, and silently taken for padding where B = L."""
    mha, x = attention(), numbers(B, L, d)
    assert list(inspect.signature(mha.forward).parameters)[3] == "key_padding_mask"
    with pytest.raises(AssertionError, match=r"Expected key_padded_mask.shape\[0\] to be 3, but got 5"):
        mha(x, x, x, FUTURE)
    square = numbers(L, L, d)
    taken = mha(square, square, square, FUTURE, average_attn_weights=False)[1]
    assert torch.equal(taken == 0, FUTURE[:, None, None].expand(L, h, L, L))


def test_hint_alone_is_an_error_or_nothing():
    """is_causal without a mask raises; on the fast path it is ignored. Beside the mask it is right on both."""
    x = numbers(B, L, d)
    with pytest.raises(RuntimeError, match="Need attn_mask if specifying the is_causal hint"):
        weights_of(attention(), x, is_causal=True)
    torch.testing.assert_close(
        weights_of(attention(frozen=True), x, is_causal=True), weights_of(attention(frozen=True), x)
    )
    for frozen in (False, True):
        both = weights_of(attention(frozen=frozen), x, is_causal=True, attn_mask=FUTURE)
        assert torch.equal(both == 0, FUTURE.expand(B, h, L, L))


@pytest.mark.parametrize("odd_or_training", ["odd", "training"])
def test_fast_path_needs_an_even_number_of_heads_and_evaluation(odd_or_training):
    """With an odd number of heads, or in training, the hint alone is an error even without gradients."""
    mha = attention(frozen=True, heads=3 if odd_or_training == "odd" else h).train(odd_or_training == "training")
    x = numbers(B, L, d)
    with pytest.raises(RuntimeError, match="Need attn_mask"):
        mha(x, x, x, is_causal=True)


@pytest.mark.parametrize("frozen", [False, True])
def test_row_of_a_three_axis_mask(frozen):
    """Row b * h + i belongs to head i of sentence b, so copies for the heads of a sentence stand next to each other."""
    mha, x = attention(frozen=frozen), numbers(B, L, d)
    tables = PADDING[:, None].expand(B, L, L)
    right = weights_of(mha, x, key_padding_mask=PADDING)
    torch.testing.assert_close(weights_of(mha, x, attn_mask=tables.repeat_interleave(h, dim=0)), right)
    assert (weights_of(mha, x, attn_mask=tables.repeat(h, 1, 1)) - right).abs().max() > 0.01


@pytest.mark.parametrize(
    ("masks", "error", "text"),
    [
        ({"attn_mask": FUTURE.expand(B, L, L)}, RuntimeError, r"3D attn_mask is torch.Size\(\[3, 5, 5\]\)"),
        ({"attn_mask": FUTURE[None, None]}, AssertionError, "but found 4-D tensor instead"),
        ({"attn_mask": PADDING}, RuntimeError, r"2D attn_mask is torch.Size\(\[3, 5\]\), but should be \(5, 5\)"),
        ({"key_padding_mask": PADDING.T}, AssertionError, r"shape\[0\] to be 3, but got 5"),
    ],
    ids=["table for each sentence", "four axes", "padding as attn_mask", "padding turned"],
)
def test_other_shapes_are_refused(masks, error, text):
    """Masks of these shapes are errors, with these texts, where all sizes differ."""
    x = numbers(B, L, d)
    with pytest.raises(error, match=text):
        attention()(x, x, x, **masks)


def test_zeroed_padding_still_has_weight():
    """A position of zeros has a key, its bias, and a weight."""
    x = numbers(B, L, d).masked_fill(PADDING[:, :, None], 0.0)
    assert (weights_of(attention(), x)[1, :, :, 3:] > 0).all()


def test_example_of_the_task():
    """Scores of 0 give every visible key the same weight, under a causal mask and under padding."""
    mha = nn.MultiheadAttention(2, 2, batch_first=True)
    with torch.no_grad():
        mha.in_proj_weight[:4] = 0.0
    x = torch.randn(1, 3, 2)
    causal = weights_of(mha, x, attn_mask=FUTURE[:3, :3])[0, 0]
    torch.testing.assert_close(causal, torch.tensor([[1, 0, 0], [1 / 2, 1 / 2, 0], [1 / 3, 1 / 3, 1 / 3]]))
    padded = weights_of(mha, x, key_padding_mask=torch.tensor([[False, False, True]]))[0, 0]
    torch.testing.assert_close(padded, torch.tensor([[0.5, 0.5, 0.0]] * 3))
