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


# --- a query that may look at nothing ----------------------------------------------------------------------------

EMPTY = torch.arange(L) >= torch.tensor([5, 3, 0])[:, None]  # sentence 2 has no key


@pytest.mark.parametrize("frozen", [False, True])
@pytest.mark.parametrize("mask", ["key_padding_mask", "attn_mask", "float"])
def test_a_query_without_keys_is_nan_where_the_module_gives_weights(frozen, mask):
    """On both paths, for both masks, output and weights of that row are NaN, and all other rows are numbers."""
    mha, x = attention(frozen=frozen), numbers(B, L, d)
    if mask == "attn_mask":
        masks = {"attn_mask": torch.arange(L)[:, None].expand(L, L) == 2}
    else:
        padding = EMPTY if mask == "key_padding_mask" else torch.zeros(B, L).double().masked_fill(EMPTY, -math.inf)
        masks = {"key_padding_mask": padding}
    out, weights = mha(x, x, x, average_attn_weights=False, **masks)
    row = (slice(None), 2) if mask == "attn_mask" else (2,)
    assert out[row].isnan().all()
    assert weights.isnan().any(dim=-1).sum() == out.isnan().any(dim=-1).sum() * h
    assert out.isnan().any(dim=-1).sum() == (B if mask == "attn_mask" else L)


@pytest.mark.parametrize(
    ("frozen", "kind", "gives"), [(False, "bool", "bias"), (True, "bool", "NaN"), (True, "float", "bias")]
)
def test_a_query_without_keys_is_the_bias_where_no_weights_are_asked_for(frozen, kind, gives):
    """Without weights the row is the bias of out_proj; on the fast path, which takes bool masks only, it is NaN."""
    mha, x = attention(frozen=frozen), numbers(B, L, d)
    mask = EMPTY if kind == "bool" else torch.zeros(B, L).double().masked_fill(EMPTY, -math.inf)
    out, weights = mha(x, x, x, key_padding_mask=mask, need_weights=False)
    assert weights is None
    if gives == "NaN":
        assert out[2].isnan().all()
    else:
        torch.testing.assert_close(out[2], mha.out_proj.bias.expand(L, d))
    assert out[:2].isfinite().all()


@pytest.mark.parametrize("mended", [False, True], ids=["left", "mended afterwards"])
def test_nan_reaches_the_gradients_although_its_row_is_left_out(mended):
    """The loss takes other rows alone; x and all parameters before the softmax get NaN, mended or not."""
    mha, x = attention(), numbers(B, L, d).requires_grad_()
    out, _ = mha(x, x, x, key_padding_mask=EMPTY)
    out = out.nan_to_num() if mended else out
    out[:2].sum().backward()
    assert x.grad[2].isnan().all()
    assert x.grad[:2].isfinite().all()
    assert mha.in_proj_weight.grad.isnan().any()
    assert mha.in_proj_bias.grad.isnan().any()


def test_gradients_are_numbers_where_a_key_is_left_before_the_softmax():
    """A mask that opens the empty sentence gives finite gradients, and leaves the other rows as they were."""
    mha, x = attention(), numbers(B, L, d).requires_grad_()
    opened = EMPTY & ~EMPTY.all(dim=1, keepdim=True)
    out, _ = mha(x, x, x, key_padding_mask=opened)
    torch.testing.assert_close(out[:2], mha(x, x, x, key_padding_mask=EMPTY)[0][:2])
    out[:2].sum().backward()
    assert all(parameter.grad.isfinite().all() for parameter in mha.parameters())
    assert x.grad.isfinite().all()


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_by_hand_a_row_without_keys_is_nan_even_or_unmasked(dtype):
    """-inf gives NaN, -1e9 in place of the scores even weights; -1e9 added leaves float64 scores apart."""
    scores, blocked = numbers(2, L, dtype=dtype), torch.tensor([[False] * L, [True] * L])
    even = torch.full((L,), 1 / L, dtype=dtype)
    assert scores.masked_fill(blocked, -math.inf).softmax(-1)[1].isnan().all()
    torch.testing.assert_close(scores.masked_fill(blocked, -1e9).softmax(-1)[1], even)
    unmasked = scores.softmax(-1)[1]
    added = (scores - 1e9 * blocked).softmax(-1)[1]
    torch.testing.assert_close(added, unmasked if dtype == torch.float64 else even, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("kind", ["bool", "float"])
@pytest.mark.parametrize("axes", [3, 4])
def test_sdpa_gives_zeros_for_a_query_without_keys(kind, axes):
    """Zeros come out, and finite gradients, for a bool mask and one of -inf."""
    q, k, v = (numbers(*(B, h)[: axes - 2], length, 6).requires_grad_() for length in (L, S, S))
    allowed = torch.arange(L)[:, None].expand(L, S) != 2
    mask = allowed if kind == "bool" else torch.zeros(L, S).double().masked_fill(~allowed, -math.inf)
    out = nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    assert not out[..., 2, :].any()
    assert all(gradient.isfinite().all() for gradient in torch.autograd.grad(out.sum(), (q, k, v)))
