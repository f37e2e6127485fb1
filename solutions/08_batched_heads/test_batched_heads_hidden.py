"""Hidden checks for 08_batched_heads: (B, L, d_model) into heads and back (Vaswani et al. 2017, section 3.2.2)."""

import pytest
import torch

from grader.checks import (
    assert_close,
    assert_contiguous,
    assert_numbers,
    assert_shape,
    assert_unchanged,
    expect_error,
    seeded_tensor,
)

# h does not divide L, then L is larger than d_model, then h divides L and B
SIZES = pytest.mark.parametrize(("B", "L", "h", "d_k"), [(4, 5, 3, 6), (3, 9, 2, 4), (6, 8, 2, 5)])


def stored_as(order, size):
    """Heads of shape (B, h, L, d_k) = `size` whose axes lie in memory in this order, outermost first."""
    lying = seeded_tensor([size[axis] for axis in order], seed=3)
    return lying.permute([order.index(axis) for axis in range(4)])


@pytest.mark.points(1)
@SIZES
def test_split_gives_each_sentence_its_heads(submission, B, L, h, d_k):
    """The result must be one tensor with the heads between batch and positions.

    Why: it speaks of the shape alone, before anybody has to think about places, and gives its point for that much.
    """
    x = seeded_tensor((B, L, h * d_k))
    got = submission.split_heads(x, h)
    assert_shape(got, x, B=B, h=h, L=L, d_k=d_k)
    assert_numbers(got)


@pytest.mark.points(2)
@SIZES
def test_head_i_gets_its_own_columns(submission, reference, B, L, h, d_k):
    """Head i must get columns i * d_k to (i + 1) * d_k of every position of its own sentence.

    Why: this is the first half of the task; the checks after it repeat it for unusual sizes and layouts.
    """
    x = seeded_tensor((B, L, h * d_k), seed=1)
    got = submission.split_heads(x, h)
    assert_close(got, reference.split_heads(x, h), axes="B h L d_k")


# In the second size num_heads divides B and L; the texts of torch's own errors name d_model nowhere.
@pytest.mark.points(2)
@pytest.mark.parametrize(
    ("B", "L", "d_model", "num_heads"),
    [(4, 5, 7, 3), (3, 6, 8, 3), (2, 7, 10, 4), (2, 3, 4, 6), (4, 5, 6, 0), (4, 5, 6, -2), (3, 5, 9, -2)],
)
def test_widths_that_do_not_fit_are_refused(submission, B, L, d_model, num_heads):
    """A d_model that num_heads does not divide, or a num_heads below 1, must be refused by a ValueError with both."""
    x = seeded_tensor((B, L, d_model))
    expect_error(lambda: submission.split_heads(x, num_heads), mentions=(d_model, num_heads))


@pytest.mark.points(2)
@SIZES
def test_merge_puts_heads_side_by_side(submission, reference, B, L, h, d_k):
    """Head i must fill columns i * d_k to (i + 1) * d_k of the row of each position.

    Why: this is the second half of the task; the checks after it repeat it for unusual sizes and layouts.
    """
    heads = seeded_tensor((B, h, L, d_k), seed=2)
    got = submission.merge_heads(heads)
    assert_close(got, reference.merge_heads(heads), axes="B L d_model")


@pytest.mark.points(1)
# In the last two the numbers of one row lie together, so that a reshape copies nothing.
@pytest.mark.parametrize("order", [(0, 1, 2, 3), (0, 2, 1, 3), (1, 0, 2, 3), (1, 2, 0, 3), (2, 0, 1, 3), (0, 1, 3, 2)])
def test_merged_tensor_is_contiguous(submission, reference, order):
    """Heads may lie in memory in any order; the merged rows must lie there in the order of their axes."""
    heads = stored_as(order, (4, 3, 5, 6))
    got = submission.merge_heads(heads)
    assert_close(got, reference.merge_heads(heads), axes="B L d_model")
    assert_contiguous(got)


@pytest.mark.points(1)
@pytest.mark.parametrize(("B", "L", "h", "d_k"), [(1, 5, 3, 4), (4, 5, 1, 6), (4, 1, 3, 6), (4, 5, 3, 1)])
def test_one_of_anything(submission, reference, B, L, h, d_k):
    """An axis of length 1 must be treated like any other."""
    x, heads = seeded_tensor((B, L, h * d_k), seed=4), seeded_tensor((B, h, L, d_k), seed=5)
    got = submission.split_heads(x, h)
    assert_close(got, reference.split_heads(x, h), axes="B h L d_k")
    got = submission.merge_heads(heads)
    assert_close(got, reference.merge_heads(heads), axes="B L d_model")


@pytest.mark.points(1)
@pytest.mark.parametrize("kind", ["float32", "view"])
def test_float32_views_and_untouched_arguments(submission, reference, kind):
    """Numbers of either dtype must keep their values, and arguments theirs."""
    B, L, h, d_k = 4, 5, 3, 6
    if kind == "float32":
        x, heads = (seeded_tensor(s, seed=6, dtype=torch.float32) for s in ((B, L, h * d_k), (B, h, L, d_k)))
    else:
        x = seeded_tensor((L, B, h * d_k), seed=7).transpose(0, 1)  # (L, B, d_model) -> (B, L, d_model)
        heads = seeded_tensor((B, L, h, d_k), seed=7).transpose(1, 2)  # (B, L, h, d_k) -> (B, h, L, d_k)
    got = submission.split_heads(x, h)
    assert_unchanged(submission)
    assert_close(got, reference.split_heads(x, h), axes="B h L d_k")
    got = submission.merge_heads(heads)
    assert_unchanged(submission)
    assert_close(got, reference.merge_heads(heads), axes="B L d_model")
