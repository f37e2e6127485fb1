"""Hidden checks for 11_attention_weights: what the pair of nn.MultiheadAttention holds (torch 2.13)."""

from dataclasses import replace

import pytest
import torch

from grader.checks import assert_called, assert_close, assert_unchanged, seeded_tensor
from grader.sandbox.wire import Build

AXES = {"mean_weights": "B L S", "per_head_weights": "B h L S", "output_only": "B L d"}
SIZES = pytest.mark.parametrize(("B", "L", "h", "d_k"), [(4, 5, 3, 6), (2, 7, 4, 6), (3, 4, 5, 2)])


def attention(h, d, *, seed=0, dtype=torch.float64, training=False):
    """A batch-first module of h heads and width d; random weights and biases, scores of order 1."""
    arguments = {"embed_dim": d, "num_heads": h, "batch_first": True}
    shapes = {"in_proj_weight": (3 * d, d), "in_proj_bias": (3 * d,), "out_proj.weight": (d, d), "out_proj.bias": (d,)}
    state = {name: seeded_tensor(shape, seed, dtype) / d**0.5 for name, shape in shapes.items()}
    return Build("torch.nn.MultiheadAttention", arguments, state, training)


@pytest.mark.points(2)
@SIZES
def test_mean_weights_are_averaged_over_the_heads(submission, reference, B, L, h, d_k):
    """There must be one table for each sentence, with the mean over the heads in it.

    Why: this is the first task itself; the checks after it repeat it for unusual sizes, modes and dtypes.
    """
    mha, x = attention(h, h * d_k), seeded_tensor((B, L, h * d_k))
    got = submission.mean_weights(mha, x)
    assert_close(got, reference.mean_weights(mha, x), axes="B L S")


@pytest.mark.points(3)
@SIZES
def test_each_head_has_its_own_table(submission, reference, B, L, h, d_k):
    """There must be one table for each head of each sentence, in this order of axes.

    Why: this is the second task itself; the checks after it repeat it for unusual sizes, modes and dtypes.
    """
    mha, x = attention(h, h * d_k, seed=1), seeded_tensor((B, L, h * d_k), seed=1)
    got = submission.per_head_weights(mha, x)
    assert_close(got, reference.per_head_weights(mha, x), axes="B h L S")


@pytest.mark.points(2)
@SIZES
def test_output_is_that_of_the_module(submission, reference, B, L, h, d_k):
    """The output must be one tensor, the first item of the module's pair.

    Why: gives points for the output where the module was asked for weights all the same.
    """
    mha, x = attention(h, h * d_k, seed=2), seeded_tensor((B, L, h * d_k), seed=2)
    got = submission.output_only(mha, x)
    assert_close(got, reference.output_only(mha, x), axes="B L d")


@pytest.mark.points(1)
def test_output_asks_for_no_weights(submission, reference):
    """No call of the module may ask for weights; a submission that computes the output by hand makes none."""
    mha, x = attention(3, 18, seed=3), seeded_tensor((4, 5, 18), seed=3)
    recording = submission.build(replace(mha, recording=True))
    got = submission.output_only(recording, x)
    assert_called(recording, need_weights=False)
    assert_close(got, reference.output_only(mha, x), axes="B L d")


@pytest.mark.points(1)
@pytest.mark.parametrize(("B", "L", "h"), [(4, 5, 1), (1, 5, 3), (4, 1, 3)])
def test_one_head_or_one_sentence(submission, reference, B, L, h):
    """An axis of length 1 must stay.

    Why: with one head or one sentence, a squeeze takes away an axis and the mean of another axis raises nothing.
    """
    mha, x = attention(h, 6 * h, seed=4), seeded_tensor((B, L, 6 * h), seed=4)
    for function, axes in AXES.items():
        got = submission.call(function, mha, x)
        assert_close(got, reference.call(function, mha, x), axes=axes)


@pytest.mark.points(1)
@pytest.mark.parametrize(("training", "dtype"), [(True, "float64"), (False, "float32"), (True, "float32")])
@pytest.mark.parametrize("function", ["mean_weights", "per_head_weights", "output_only"])
def test_module_is_as_before(submission, reference, function, training, dtype):
    """In either mode and either dtype the result must be right, and module and x must be left alone."""
    kind = getattr(torch, dtype)
    mha = attention(4, 24, seed=5, dtype=kind, training=training)
    x = seeded_tensor((3, 5, 24), seed=5, dtype=kind)
    got = submission.call(function, mha, x)
    assert_close(got, reference.call(function, mha, x), axes=AXES[function])
    assert_unchanged(submission)
