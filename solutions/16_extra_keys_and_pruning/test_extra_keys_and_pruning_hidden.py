"""Hidden checks for 16_extra_keys_and_pruning: added keys (torch 2.13), gated and pruned heads (arXiv:1905.10650)."""

import numpy as np
import pytest
import torch

from grader.checks import assert_close, assert_unchanged, assert_whole, seeded_tensor, unpack
from grader.sandbox.wire import Build

PARTS = ("w_q", "w_k", "w_v", "b_q", "b_k", "b_v", "w_o", "b_o")
AXES = {**dict.fromkeys(PARTS, "out in"), **dict.fromkeys(("b_q", "b_k", "b_v", "b_o"), "out")}

KEPT = pytest.mark.parametrize(("h", "d_k", "keep"), [(3, 5, [0, 2]), (4, 6, [1, 3]), (5, 3, [2]), (3, 4, [0, 1, 2])])


def attention(h, d, *, bias=True, seed=0, dtype=torch.float64):
    """A module of h heads and width d, with random weights and biases."""
    shapes = {"in_proj_weight": (3 * d, d), "out_proj.weight": (d, d)}
    if bias:
        shapes |= {"in_proj_bias": (3 * d,), "out_proj.bias": (d,)}
    state = {name: seeded_tensor(shape, seed, dtype) / d**0.5 for name, shape in shapes.items()}
    return Build("torch.nn.MultiheadAttention", {"embed_dim": d, "num_heads": h, "bias": bias}, state)


def assert_lengths(got, want):
    """The lengths of all axes must be these; a list will do."""
    lengths = unpack(got, *(("B", "L", "keys") if len(want) == 3 else ("B", "h", "L", "keys")))
    for length in lengths:
        assert_whole(length)
    assert_close(np.array(lengths), np.array(want), axes="axis")


def assert_parts(got, want, *names):
    """These parameters of the smaller layer must be the expected ones; None must be None."""
    parts, expected = dict(zip(PARTS, unpack(got, *PARTS), strict=True)), dict(zip(PARTS, want, strict=True))
    for name in names:
        if expected[name] is None:
            assert parts[name] is None, f"{name} must be None"
        else:
            assert_close(parts[name], expected[name], axes=AXES[name])


@pytest.mark.points(2)
@pytest.mark.parametrize("average", [True, False])
@pytest.mark.parametrize("add_zero_attn", [True, False])
@pytest.mark.parametrize("add_bias_kv", [True, False])
def test_each_added_key_has_a_weight(submission, reference, add_bias_kv, add_zero_attn, average):
    """Each of the two options must add one key, and no query.

    Why: this is what the two options do; the next check is about the other axes.
    """
    got = submission.weights_shape(4, 5, 7, 3, add_bias_kv, add_zero_attn, average)
    assert_lengths(got, reference.weights_shape(4, 5, 7, 3, add_bias_kv, add_zero_attn, average))


@pytest.mark.points(1)
@pytest.mark.parametrize(("B", "L", "S", "h"), [(2, 7, 3, 5), (6, 4, 9, 1), (1, 3, 8, 2)])
def test_average_has_no_axis_for_the_heads(submission, reference, B, L, S, h):
    """Averaged weights must lack the axis of the heads, those of each head must have it, also where h = 1.

    Why: speaks of the axes alone, without added keys, and gives its point for that much.
    """
    for average in (True, False):
        got = submission.weights_shape(B, L, S, h, add_bias_kv=False, add_zero_attn=False, average=average)
        want = reference.weights_shape(B, L, S, h, add_bias_kv=False, add_zero_attn=False, average=average)
        assert_lengths(got, want)


@pytest.mark.points(2)
@pytest.mark.parametrize(
    ("B", "h", "L", "d_v"), [(4, 3, 5, 6), (3, 3, 5, 2), (2, 5, 5, 3), (2, 4, 3, 4), (3, 3, 3, 3), (2, 1, 5, 4)]
)
def test_each_head_is_multiplied_by_its_gate(submission, reference, B, h, L, d_v):
    """Head i must come back times gates[i], whichever of the other axes has h positions as well.

    Why: where another axis has as many positions as there are heads, a gate on the wrong axis raises nothing.
    """
    heads, gates = seeded_tensor((B, h, L, d_v)), seeded_tensor((h,), seed=1)
    got = submission.gate_heads(heads, gates)
    assert_close(got, reference.gate_heads(heads, gates), axes="B h L d_v")


@pytest.mark.points(2)
@KEPT
def test_rows_of_the_kept_heads_stay(submission, reference, h, d_k, keep):
    """Of W_Q, W_K and W_V, and of their biases, the rows of the heads in keep must stay, in their order.

    Why: this is half of the task of prune, and what exercise 12 prepared.
    """
    mha = attention(h, h * d_k)
    got = submission.prune(mha, keep)
    assert_parts(got, reference.prune(mha, keep), *PARTS[:6])


@pytest.mark.points(1)
@KEPT
def test_columns_of_the_output_projection_stay(submission, reference, h, d_k, keep):
    """Of W_O the columns of the heads in keep must stay, and its bias must stay whole.

    Why: the other half: W_O reads what the heads deliver, so it is cut along the other axis.
    """
    mha = attention(h, h * d_k, seed=1)
    got = submission.prune(mha, keep)
    assert_parts(got, reference.prune(mha, keep), "w_o", "b_o")


@pytest.mark.points(1)
@pytest.mark.parametrize(("h", "d_k", "keep"), [(3, 5, [0, 2]), (4, 6, [1])])
def test_module_without_biases_has_none_afterwards(submission, reference, h, d_k, keep):
    """Where the module has no biases, None must stand in place of each.

    Why: such a module holds None where others hold a vector.
    """
    mha = attention(h, h * d_k, bias=False, seed=2)
    got = submission.prune(mha, keep)
    assert_parts(got, reference.prune(mha, keep), *PARTS)


@pytest.mark.points(1)
def test_float32_and_untouched_arguments(submission, reference):
    """float32 must do as well as float64, and heads, gates and module must be as before.

    Why: pruning and gating are easily done inside the arguments.
    """
    heads, gates = seeded_tensor((4, 3, 5, 6), dtype=torch.float32), torch.tensor([0.0, 0.5, 1.0])
    got = submission.gate_heads(heads, gates)
    assert_unchanged(submission)
    assert_close(got, reference.gate_heads(heads, gates), axes="B h L d_v")
    mha = attention(4, 24, seed=3, dtype=torch.float32)
    got = submission.prune(mha, [0, 3])
    assert_unchanged(submission)
    assert_parts(got, reference.prune(mha, [0, 3]), *PARTS)
