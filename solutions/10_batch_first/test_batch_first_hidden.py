"""Hidden checks for 10_batch_first: what nn.MultiheadAttention takes for the batch (torch 2.13)."""

import pytest
import torch

from grader.checks import (
    assert_close,
    assert_numbers,
    assert_shape,
    assert_unchanged,
    expect_error,
    seeded_tensor,
    unpack,
)
from grader.sandbox.client import RemoteObject
from grader.sandbox.wire import Build

# B, L, h, d_k; in the second B = L, where no shape tells a mix-up, in the others an axis is of length 1
SIZES = pytest.mark.parametrize(("B", "L", "h", "d_k"), [(4, 5, 3, 6), (5, 5, 2, 4), (1, 6, 4, 3), (6, 1, 3, 2)])


def weights_of(d, seed=0, dtype=torch.float64):
    """Random weights for a module of width d, scores of order 1."""
    shapes = {"in_proj_weight": (3 * d, d), "out_proj.weight": (d, d)}
    return {name: seeded_tensor(shape, seed, dtype) / d**0.5 for name, shape in shapes.items()}


def attention(h, d, *, batch_first, seed=0, dtype=torch.float64, training=False):
    """A module of h heads and width d with random weights and biases."""
    biases = {
        name: seeded_tensor((rows,), seed, dtype) for name, rows in (("in_proj_bias", 3 * d), ("out_proj.bias", d))
    }
    arguments = {"embed_dim": d, "num_heads": h, "batch_first": batch_first}
    return Build("torch.nn.MultiheadAttention", arguments, weights_of(d, seed, dtype) | biases, training)


@pytest.mark.points(2)
@SIZES
def test_made_module_takes_the_first_axis_for_the_batch(submission, reference, B, L, h, d_k):
    """Given known weights, the new module must attend within each sentence of (B, L, d), in the mode it comes in."""
    d, x = h * d_k, seeded_tensor((B, L, h * d_k))
    made = submission.make("make_attention", d, h)
    assert isinstance(made, RemoteObject), "a module comes back"
    made.call("double")
    made.call("load_state_dict", weights_of(d), strict=False)  # the biases of a new module are 0
    out, weights = unpack(made.call("forward", x, x, x), "out", "weights")
    known = Build("torch.nn.MultiheadAttention", {"embed_dim": d, "num_heads": h, "bias": False, "batch_first": True})
    ours = reference.build(known)
    ours.call("double")
    ours.call("load_state_dict", weights_of(d))
    assert_shape(weights, x, B=B, L=L, S=L)
    assert_close(out, reference.attend(ours, x), axes="B L d")


@pytest.mark.points(1)
@pytest.mark.parametrize(("embed_dim", "num_heads"), [(18, 3), (8, 8), (20, 1)])
def test_made_module_has_the_sizes_asked_for(submission, embed_dim, num_heads):
    """The new module must have this width, these heads, and no dropout.

    Why: it names the argument that is wrong, where the values of the module would only say that something is.
    """
    made = submission.make("make_attention", embed_dim, num_heads)
    assert isinstance(made, RemoteObject), "a module comes back"
    for name, expected in (("embed_dim", embed_dim), ("num_heads", num_heads), ("dropout", 0.0)):
        assert_close(made.get(name), expected)


@pytest.mark.points(1)
@pytest.mark.parametrize(("embed_dim", "num_heads"), [(20, 3), (512, 7), (4, 6)])
def test_indivisible_width_is_refused(submission, embed_dim, num_heads):
    """A width that the number of heads does not divide must be refused, by torch or by the code itself."""
    expect_error(
        lambda: submission.make("make_attention", embed_dim, num_heads), types=("AssertionError", "ValueError")
    )


@pytest.mark.points(2)
@SIZES
def test_batch_first_module_gets_x_as_it_is(submission, reference, B, L, h, d_k):
    """A batch-first module must be given x as it is, and its output must come back as one tensor.

    Why: gives points for one kind of module where only the other one is not thought of.
    """
    mha, x = attention(h, h * d_k, batch_first=True, seed=1), seeded_tensor((B, L, h * d_k), seed=1)
    got = submission.attend(mha, x)
    assert_close(got, reference.attend(mha, x), axes="B L d")


@pytest.mark.points(2)
@SIZES
def test_sequence_first_module_is_served_as_well(submission, reference, B, L, h, d_k):
    """A module that wants the sequence first must get it so, and its output must be turned back.

    Why: gives points for one kind of module where only the other one is not thought of.
    """
    mha, x = attention(h, h * d_k, batch_first=False, seed=2), seeded_tensor((B, L, h * d_k), seed=2)
    got = submission.attend(mha, x)
    assert_close(got, reference.attend(mha, x), axes="B L d")


@pytest.mark.points(1)
@pytest.mark.parametrize("batch_first", [True, False])
def test_sentences_never_meet(submission, batch_first):
    """The output of sentence 0 must not depend on sentence 2, whatever else is right or wrong.

    Why: this is the test that the task recommends, and it tells mixed-up sentences from other wrong values.
    """
    mha, x = attention(3, 18, batch_first=batch_first, seed=3), seeded_tensor((4, 5, 18), seed=3)
    other = x.clone()
    other[2] += 1.0
    before, after = submission.attend(mha, x), submission.attend(mha, other)
    for out in (before, after):
        assert_shape(out, x, B=4, L=5, d=18)
        assert_numbers(out)
    assert_close(after[0], before[0], axes="L d")


@pytest.mark.points(1)
@pytest.mark.parametrize("batch_first", [True, False])
@pytest.mark.parametrize(("training", "dtype"), [(True, torch.float64), (False, torch.float32), (True, torch.float32)])
def test_module_and_x_stay_as_they_were(submission, reference, batch_first, training, dtype):
    """In either mode and either dtype the output must be right, and module and x must be left alone."""
    mha = attention(4, 24, batch_first=batch_first, seed=4, dtype=dtype, training=training)
    x = seeded_tensor((3, 5, 24), seed=4, dtype=dtype)
    got = submission.attend(mha, x)
    assert_unchanged(submission)
    assert_close(got, reference.attend(mha, x), axes="B L d")
