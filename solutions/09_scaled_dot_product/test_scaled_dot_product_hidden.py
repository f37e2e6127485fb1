"""Hidden checks for 09_scaled_dot_product: softmax(QKᵀ / √d_k) V, by hand and by torch (arXiv:1706.03762, 3.2.1)."""

from typing import NamedTuple

import pytest
import torch

from grader.checks import assert_close, assert_numbers, assert_shape, assert_unchanged, seeded, seeded_tensor, unpack


class Size(NamedTuple):
    """Lengths of the axes; a failing case is called by them."""

    B: int
    h: int
    L: int
    S: int
    d_k: int
    d_v: int


# S larger than L, then smaller, then equal and the batch of two
SIZES = pytest.mark.parametrize(
    "size", [Size(B=4, h=3, L=5, S=7, d_k=6, d_v=2), Size(3, 5, 7, 4, 2, 8), Size(2, 3, 4, 4, 7, 5)]
)
DIGITS = torch.float32  # a root that torch takes of a whole number has no more
MASKS = pytest.mark.parametrize("mask", ["L S", "B 1 L S", "B h L S"])


def inputs(size, *, seed=0, dtype=torch.float64):
    """Random q, k, v; the scores are of order 1."""
    B, h, L, S, d_k, d_v = size
    shapes = ((B, h, L, d_k), (B, h, S, d_k), (B, h, S, d_v))
    return [seeded_tensor(shape, seed, dtype) for shape in shapes]


def blocking(size, mask):
    """A mask of these axes; key t % S of row t is always allowed, others with a chance of one half."""
    B, h, L, S, *_ = size
    shape = {"L S": (L, S), "B 1 L S": (B, 1, L, S), "B h L S": (B, h, L, S)}[mask]
    allowed = torch.from_numpy(seeded(shape, seed=9) > 0)
    allowed[..., range(L), [t % S for t in range(L)]] = True
    return allowed


@pytest.mark.points(1)
@SIZES
def test_output_and_weights_have_their_shapes(submission, size):
    """A pair must come back: the output, then the weights.

    Why: it speaks of the shapes alone, before anybody has to think about values, and gives its point for that much.
    """
    B, h, L, S, _d_k, d_v = size
    q, k, v = inputs(size)
    out, weights = unpack(submission.attention(q, k, v), "out", "weights")
    assert_shape(out, q, B=B, h=h, L=L, d_v=d_v)
    assert_shape(weights, q, B=B, h=h, L=L, S=S)
    assert_numbers(out)
    assert_numbers(weights)


@pytest.mark.points(2)
@SIZES
def test_weights_are_softmax_of_scaled_scores(submission, reference, size):
    """The weights of each query must be the softmax of its scores, divided by the root of the width of one head.

    Why: gives points for scale and softmax where only the mask is wrong.
    """
    q, k, v = inputs(size, seed=1)
    _out, weights = unpack(submission.attention(q, k, v), "out", "weights")
    assert_close(weights, reference.attention(q, k, v)[1], axes="B h L S", dtype=DIGITS)


@pytest.mark.points(1)
@SIZES
def test_output_sums_the_values(submission, reference, size):
    """The output must be the values, each with its weight, added up.

    Why: tells a wrong second product from wrong weights.
    """
    q, k, v = inputs(size, seed=2)
    out, _weights = unpack(submission.attention(q, k, v), "out", "weights")
    assert_close(out, reference.attention(q, k, v)[0], axes="B h L d_v", dtype=DIGITS)


@pytest.mark.points(2)
@MASKS
@SIZES
def test_blocked_keys_have_no_weight(submission, reference, size, mask):
    """Under a mask of each shape blocked keys must have the weight 0, and the others must share the 1."""
    (q, k, v), allowed = inputs(size, seed=3), blocking(size, mask)
    out, weights = unpack(submission.attention(q, k, v, allowed), "out", "weights")
    wanted_out, wanted_weights = reference.attention(q, k, v, allowed)
    assert_close(weights, wanted_weights, axes="B h L S", dtype=DIGITS)
    assert_close(out, wanted_out, axes="B h L d_v", dtype=DIGITS)


@pytest.mark.points(1)
@pytest.mark.parametrize("mask", ["", "B h L S", "of the highest"])
def test_large_scores_stay_finite(submission, reference, mask):
    """Scores of some thousands, in one row above 0 and in another below, must give finite weights, with any mask."""
    size = (2, 3, 5, 4, 6, 7)
    q, k, v = inputs(size, seed=4)
    q[..., 0] = torch.tensor([-3000.0, 3000.0, 0.0, -1000.0, 2000.0])  # for the whole row: all keys have a 1 there
    k[..., 0] = 1.0
    allowed = blocking(size, mask) if mask == "B h L S" else None
    if mask == "of the highest":  # what may be seen is near -10000, what is blocked near 10000
        rows, keys = torch.tensor([1.0, -1, 1, 1, -1]), torch.tensor([1.0, -1, -1, 1])
        q[..., 0], k[..., 0] = 9995 * 6**0.5 * rows, keys
        allowed = rows[:, None] * keys < 0
    out, weights = unpack(submission.attention(q, k, v, allowed), "out", "weights")
    wanted_out, wanted_weights = reference.attention(q, k, v, allowed)
    assert_close(weights, wanted_weights, axes="B h L S", dtype=DIGITS)
    assert_close(out, wanted_out, axes="B h L d_v", dtype=DIGITS)


@pytest.mark.points(2)
@pytest.mark.parametrize("mask", ["", "L S", "B 1 L S", "B h L S"])
@SIZES
def test_sdpa_gives_the_same_output(submission, reference, size, mask):
    """The output alone must come back, equal to that by hand.

    Why: this is the second half of the task; the check after it repeats it for float32 and for changed arguments.
    """
    (q, k, v), allowed = inputs(size, seed=5), blocking(size, mask) if mask else None
    got = submission.attention_sdpa(q, k, v, allowed)
    assert_close(got, reference.attention(q, k, v, allowed)[0], axes="B h L d_v", dtype=DIGITS)


@pytest.mark.points(1)
@pytest.mark.parametrize("mask", ["", "B h L S"])
def test_float32_and_untouched_arguments(submission, reference, mask):
    """In float32 both must be right, and must leave their arguments alone."""
    size = (4, 3, 5, 7, 6, 2)
    (q, k, v), allowed = inputs(size, seed=6, dtype=torch.float32), blocking(size, mask) if mask else None
    out, weights = unpack(submission.attention(q, k, v, allowed), "out", "weights")
    assert_unchanged(submission)
    got = submission.attention_sdpa(q, k, v, allowed)
    assert_unchanged(submission)
    wanted_out, wanted_weights = reference.attention(q, k, v, allowed)
    assert_close(weights, wanted_weights, axes="B h L S", dtype=DIGITS)
    assert_close(out, wanted_out, axes="B h L d_v", dtype=DIGITS)
    assert_close(got, wanted_out, axes="B h L d_v", dtype=DIGITS)
