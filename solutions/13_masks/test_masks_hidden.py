"""Hidden checks for 13_masks: what is blocked, on both paths of the module and for SDPA (torch 2.13)."""

import pytest
import torch

from grader.checks import assert_close, assert_numbers, assert_shape, assert_unchanged, seeded_tensor, unpack
from grader.sandbox.wire import Build

SIZES = pytest.mark.parametrize(("B", "L", "h", "d_k"), [(4, 5, 3, 6), (2, 7, 4, 6), (3, 3, 5, 2)])


def attention(h, d, *, seed=0, dtype=torch.float64, training=False):
    """A batch-first module of h heads and width d; random weights and biases, scores of order 1."""
    arguments = {"embed_dim": d, "num_heads": h, "batch_first": True}
    shapes = {"in_proj_weight": (3 * d, d), "in_proj_bias": (3 * d,), "out_proj.weight": (d, d), "out_proj.bias": (d,)}
    state = {name: seeded_tensor(shape, seed, dtype) / d**0.5 for name, shape in shapes.items()}
    return Build("torch.nn.MultiheadAttention", arguments, state, training)


def frozen(subject, mha):
    """The module without gradients, so that torch takes its fast path in evaluation mode with an even h."""
    made = subject.build(mha)
    made.call("requires_grad_", False)
    return made


def lengths_of(B, L):
    """B different lengths between 1 and L as far as there are so many, the longest first."""
    return torch.tensor([L - b % L for b in range(B)])


def blocked(shape, seed=0):
    """A random mask, True = blocked, in which every row keeps a key and blocks one."""
    rank = seeded_tensor(shape, seed).argsort(dim=-1).argsort(dim=-1)  # each row holds 0 to S - 1 in random order
    return rank < 1 + torch.arange(rank[..., 0].numel()).reshape(shape[:-1])[..., None] % (shape[-1] - 1)


def assert_causal(got, want):
    out, weights = unpack(got, "out", "weights")
    assert_close(weights, want[1], axes="B h L S")
    assert_close(out, want[0], axes="B L d")


def assert_padded(got, want, lengths):
    """As assert_causal, with the rows of padded queries left out."""
    out, weights = unpack(got, "out", "weights")
    right, right_weights = want
    (B, h, L, S), d = right_weights.shape, right.shape[-1]
    assert_shape(weights, right, B=B, h=h, L=L, S=S)
    assert_shape(out, right, B=B, L=L, d=d)
    real = torch.arange(L) < lengths[:, None]  # (B, L)
    assert_close(torch.where(real[:, None, :, None], weights, right_weights), right_weights, axes="B h L S")
    assert_close(torch.where(real[:, :, None], out, right), right, axes="B L d")


@pytest.mark.points(2)
@SIZES
def test_future_keys_have_weight_0(submission, reference, B, L, h, d_k):
    """Position i must see the keys 0 to i, itself included, and no later one.

    Why: this is the first task itself; the checks after it repeat it on the other path and for other dtypes.
    """
    mha, x = attention(h, h * d_k), seeded_tensor((B, L, h * d_k))
    got = submission.causal_attention(mha, x)
    assert_causal(got, reference.causal_attention(mha, x))


@pytest.mark.points(1)
@pytest.mark.parametrize("mask", ["causal", "padding"])
def test_masks_hold_without_gradients(submission, reference, mask):
    """On the fast path, where is_causal alone is ignored without an error, the masks must hold too.

    Why: whoever catches the error of is_causal, or tries without gradients only, is wrong here without any exception.
    """
    mha, x, lengths = attention(4, 24, seed=1), seeded_tensor((3, 5, 24), seed=1), lengths_of(3, 5)
    if mask == "causal":
        got = submission.causal_attention(frozen(submission, mha), x)
        assert_causal(got, reference.causal_attention(frozen(reference, mha), x))
    else:
        got = submission.padded_attention(frozen(submission, mha), x, lengths)
        assert_padded(got, reference.padded_attention(frozen(reference, mha), x, lengths), lengths)


@pytest.mark.points(2)
@SIZES
def test_padded_keys_have_weight_0(submission, reference, B, L, h, d_k):
    """Sentence b must see its first lengths[b] keys, all of them, and no padding.

    Why: this is the second task itself; the checks around it repeat it on the other path and for other dtypes.
    """
    mha, x, lengths = attention(h, h * d_k, seed=2), seeded_tensor((B, L, h * d_k), seed=2), lengths_of(B, L)
    got = submission.padded_attention(mha, x, lengths)
    assert_padded(got, reference.padded_attention(mha, x, lengths), lengths)


@pytest.mark.points(1)
@pytest.mark.parametrize(("B", "L", "h", "d_k"), [(4, 5, 3, 6), (2, 7, 4, 6)])
def test_empty_sentence_gives_no_nan(submission, reference, B, L, h, d_k):
    """A sentence of length 0 must leave no NaN behind, in the results or in the gradient of x."""
    mha, x, lengths = attention(h, h * d_k, seed=2), seeded_tensor((B, L, h * d_k), seed=2), lengths_of(B, L)
    lengths[1] = 0
    got = submission.padded_attention(mha, x, lengths)
    assert_unchanged(submission)
    assert_padded(got, reference.padded_attention(mha, x, lengths), lengths)
    for part in got:
        assert_numbers(part)
    real = (torch.arange(L) < lengths[:, None])[:, :, None].double()  # the loss leaves padded rows out
    x.requires_grad_()
    (gradient,) = submission.gradients("padded_attention", mha, x, lengths, cotangent=real)["inputs"]
    (wanted,) = reference.gradients("padded_attention", mha, x, lengths, cotangent=real)["inputs"]
    assert_close(torch.zeros_like(x) if gradient is None else gradient, wanted, axes="B L d")


@pytest.mark.points(2)
@pytest.mark.parametrize("given", ["both", "padding", "attention"])
@pytest.mark.parametrize(("B", "L", "S", "h"), [(4, 5, 7, 3), (2, 6, 3, 4), (3, 4, 4, 3)])
def test_sdpa_allows_what_no_mask_blocks(submission, reference, B, L, S, h, given):
    """True must mean allowed, and a key must be allowed only where every mask that is given leaves it free.

    Without attn_mask the number of queries is unknown, so that axis must have length 1.
    Why: this is the third task itself; the checks after it repeat it for masks of three axes and without changing any.
    """
    padding, attention = blocked((B, S), seed=3), blocked((L, S), seed=4)
    masks = None if given == "attention" else padding, None if given == "padding" else attention
    got = submission.to_sdpa_mask(*masks, B, h)
    assert_close(got, reference.to_sdpa_mask(*masks, B, h), axes="B 1 L S")


@pytest.mark.points(1)
@pytest.mark.parametrize(("B", "L", "S", "h"), [(4, 5, 7, 3), (3, 2, 4, 3)])
@pytest.mark.parametrize("padding", [True, False])
def test_heads_and_sentences_keep_their_own_masks(submission, reference, B, L, S, h, padding):
    """Row b * h + i must become [b, i], alone and together with a padding mask.

    Why: gives its point for the order of heads and sentences, and takes no other where only that is wrong.
    """
    masks = blocked((B, S), seed=5) if padding else None, blocked((B * h, L, S), seed=6)
    got = submission.to_sdpa_mask(*masks, B, h)
    assert_close(got, reference.to_sdpa_mask(*masks, B, h), axes="B h L S")


@pytest.mark.points(1)
@pytest.mark.parametrize(("training", "dtype"), [(True, "float64"), (True, "float32"), (False, "float32")])
def test_float32_and_untouched_arguments(submission, reference, training, dtype):
    """In either mode and dtype the results must be right, and modules, inputs and masks must be left alone."""
    kind = getattr(torch, dtype)
    mha = attention(3, 18, seed=9, dtype=kind, training=training)
    x, lengths = seeded_tensor((4, 5, 18), seed=9, dtype=kind), lengths_of(4, 5)
    got = submission.causal_attention(mha, x)
    assert_unchanged(submission)
    assert_causal(got, reference.causal_attention(mha, x))
    got = submission.padded_attention(mha, x, lengths)
    assert_unchanged(submission)
    assert_padded(got, reference.padded_attention(mha, x, lengths), lengths)
    for masks in ((blocked((4, 7)), blocked((5, 7))), (blocked((4, 7)), None), (None, blocked((12, 5, 7)))):
        got = submission.to_sdpa_mask(*masks, 4, 3)
        assert_unchanged(submission)
        assert_close(got, reference.to_sdpa_mask(*masks, 4, 3), axes="B h L S")
