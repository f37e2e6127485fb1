"""Hidden checks for 12_in_proj: which rows of which matrix belong to whom (torch 2.13)."""

import pytest
import torch

from grader.checks import assert_close, assert_unchanged, seeded_tensor, unpack
from grader.sandbox.wire import Build

PARTS = ("w_q", "w_k", "w_v", "b_q", "b_k", "b_v")
AXES = ("out in", "out in", "out in", "out", "out", "out")
SIZES = pytest.mark.parametrize(("E", "h"), [(18, 3), (24, 4), (10, 5)])
OTHER_WIDTHS = pytest.mark.parametrize(("kdim", "vdim"), [(10, 7), (18, 5), (11, 18)])


def attention(E, h, *, seed=0, dtype=torch.float64, batch_first=True, **options):
    """A described module with random weights and biases, the same for the same arguments."""
    arguments = {"embed_dim": E, "num_heads": h, "batch_first": batch_first, **options}
    shapes = {name: held.shape for name, held in torch.nn.MultiheadAttention(**arguments).state_dict().items()}
    state = {name: seeded_tensor(shape, seed + i, dtype) for i, (name, shape) in enumerate(shapes.items())}
    return Build("torch.nn.MultiheadAttention", arguments, state)


def assert_projected(got, want):
    """Compares q, k and v one after the other."""
    q, k, v = unpack(got, "q", "k", "v")
    expected = unpack(want, "q", "k", "v")
    for found, right, axes in zip((q, k, v), expected, ("B h L d_k", "B h S d_k", "B h S d_k"), strict=True):
        assert_close(found, right, axes=axes)


@pytest.mark.points(2)
@SIZES
def test_weights_are_the_thirds_of_in_proj_weight(submission, reference, E, h):
    """Rows 0 to E must be W_Q, E to 2E W_K, 2E to 3E W_V, whatever the number of heads.

    Why: gives points for the weights where only the biases are wrong.
    """
    mha = attention(E, h)
    got = unpack(submission.split_in_proj(mha), *PARTS)
    want = reference.split_in_proj(mha)
    for found, right, axes in zip(got[:3], want[:3], AXES[:3], strict=True):
        assert_close(found, right, axes=axes)


@pytest.mark.points(1)
@SIZES
@pytest.mark.parametrize("bias", [True, False])
def test_biases_are_the_thirds_of_in_proj_bias(submission, reference, E, h, bias):
    """The biases must stand in the order of the weights; without bias there must be None three times."""
    mha = attention(E, h, seed=10, bias=bias)
    got = unpack(submission.split_in_proj(mha), *PARTS)
    want = reference.split_in_proj(mha)
    for found, right in zip(got[3:], want[3:], strict=True):
        if bias:
            assert_close(found, right, axes="out")
        else:
            assert found is None


@pytest.mark.points(2)
@OTHER_WIDTHS
def test_separate_weights_are_found(submission, reference, kdim, vdim):
    """Where in_proj_weight is None, the weights must come from their own parameters, the biases from in_proj_bias.

    Why: gives points for the other kind of module where only the cut of in_proj_weight is wrong.
    """
    mha = attention(18, 3, seed=20, kdim=kdim, vdim=vdim)
    got = unpack(submission.split_in_proj(mha), *PARTS)
    want = reference.split_in_proj(mha)
    for found, right, axes in zip(got, want, AXES, strict=True):
        assert_close(found, right, axes=axes)


@pytest.mark.points(2)
@pytest.mark.parametrize(("B", "L", "S", "E", "h"), [(4, 5, 7, 18, 3), (2, 7, 3, 24, 4), (3, 4, 4, 10, 5)])
def test_queries_keys_and_values_of_each_head(submission, reference, B, L, S, E, h):
    """Head i must have columns i * d_k to (i + 1) * d_k of x @ W.T + b.

    Why: this is the second task itself; the checks after it repeat it for unusual modules.
    """
    mha = attention(E, h, seed=30)
    inputs = [seeded_tensor((B, length, E), seed) for seed, length in enumerate((L, S, S))]
    got = submission.project(mha, *inputs)
    assert_projected(got, reference.project(mha, *inputs))


@pytest.mark.points(1)
@pytest.mark.parametrize("bias", [True, False])
@OTHER_WIDTHS
def test_projection_without_bias_or_with_other_widths(submission, reference, bias, kdim, vdim):
    """No bias must mean no bias, and key and value may be narrower than embed_dim."""
    for widths in ({}, {"kdim": kdim, "vdim": vdim}):
        mha = attention(18, 3, seed=40, bias=bias, **widths)
        shapes = [(4, 5, 18), (4, 7, widths.get("kdim", 18)), (4, 7, widths.get("vdim", 18))]
        inputs = [seeded_tensor(shape, seed) for seed, shape in enumerate(shapes)]
        got = submission.project(mha, *inputs)
        assert_projected(got, reference.project(mha, *inputs))


@pytest.mark.points(1)
@pytest.mark.parametrize(("L", "S"), [(5, 7), (6, 2)])
def test_batch_comes_first_whatever_the_layout(submission, reference, L, S):
    """Inputs of (L, B, E) must give the same q, k and v as a batch-first module has."""
    mha = attention(18, 3, seed=50, batch_first=False)
    inputs = [seeded_tensor((length, 4, 18), seed) for seed, length in enumerate((L, S, S))]
    got = submission.project(mha, *inputs)
    assert_projected(got, reference.project(mha, *inputs))


@pytest.mark.points(1)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_float32_and_untouched_arguments(submission, reference, dtype):
    """In either dtype the results must be right, and module and inputs must be left alone.

    Why: whoever is right for float64 may still make tensors of one dtype only, or write into the module's parameters.
    """
    kind = getattr(torch, dtype)
    mha = attention(18, 3, seed=60, dtype=kind)
    got = unpack(submission.split_in_proj(mha), *PARTS)
    assert_unchanged(submission)
    for found, right, axes in zip(got, reference.split_in_proj(mha), AXES, strict=True):
        assert_close(found, right, axes=axes)
    inputs = [seeded_tensor((4, length, 18), seed, kind) for seed, length in enumerate((5, 7, 7))]
    got = submission.project(mha, *inputs)
    assert_unchanged(submission)
    assert_projected(got, reference.project(mha, *inputs))
