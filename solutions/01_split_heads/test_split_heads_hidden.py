"""Hidden checks for 01_split_heads: d_model into heads (Vaswani et al. 2017, section 3.2.2)."""

import numpy as np
import pytest

from grader.checks import assert_close, assert_numbers, assert_shape, assert_unchanged, expect_error, seeded

# h does not divide L, then L is larger than d_model, then h divides L
SIZES = pytest.mark.parametrize(("h", "L", "d_k"), [(3, 5, 4), (2, 9, 3), (4, 8, 5)])


@pytest.mark.points(1)
@SIZES
def test_result_has_a_layer_for_each_head(submission, h, L, d_k):
    """The result must be one array with a layer for each head, and in it a row of d_k numbers for each position.

    Why: it speaks of the shape alone, before anybody has to think about places, and gives its point for that much.
    """
    got = submission.split_heads(seeded((L, h * d_k)), h)
    assert_shape(got, h=h, L=L, d_k=d_k)
    assert_numbers(got)


@pytest.mark.points(1)
@SIZES
def test_row_t_holds_position_t(submission, reference, h, L, d_k):
    """Row t of every head must hold numbers of position t only, whatever their order: here they all are t + 1.

    Why: tells a mix-up of positions from one of columns, and gives its point where only the latter is wrong.
    """
    x = np.broadcast_to(np.arange(1.0, L + 1)[:, None], (L, h * d_k)).copy()  # (L, 1) -> (L, d_model)
    got = submission.split_heads(x, h)
    assert_close(got, reference.split_heads(x, h), axes="h L d_k")


@pytest.mark.points(3)
@SIZES
def test_head_i_gets_its_own_columns(submission, reference, h, L, d_k):
    """Head i must get columns i * d_k to (i + 1) * d_k, every number in its place.

    Why: this is the task itself; the checks after it repeat it for unusual sizes and dtypes.
    """
    x = seeded((L, h * d_k), seed=1)
    got = submission.split_heads(x, h)
    assert_close(got, reference.split_heads(x, h), axes="h L d_k")


@pytest.mark.points(1)
@pytest.mark.parametrize(("h", "L", "d_k"), [(1, 4, 3), (5, 3, 1), (3, 1, 4)])
def test_one_head_one_column_or_one_position(submission, reference, h, L, d_k):
    """An axis of length 1 must be treated like any other."""
    x = seeded((L, h * d_k), seed=2)
    got = submission.split_heads(x, h)
    assert_close(got, reference.split_heads(x, h), axes="h L d_k")


# The texts of numpy's own errors on these sizes name d_model nowhere. In the second, num_heads divides L.
@pytest.mark.points(2)
@pytest.mark.parametrize(("d_model", "num_heads", "L"), [(7, 3, 5), (8, 3, 6), (10, 4, 7), (4, 6, 3)])
def test_indivisible_width_is_refused(submission, d_model, num_heads, L):
    """A d_model that num_heads does not divide must be refused by a ValueError that names both."""
    x = seeded((L, d_model))
    expect_error(lambda: submission.split_heads(x, num_heads), mentions=(d_model, num_heads))


@pytest.mark.points(1)
@pytest.mark.parametrize(("d_model", "num_heads"), [(6, 0), (6, -2), (9, -2), (8, -1)])
def test_fewer_than_one_head_is_refused(submission, d_model, num_heads):
    """A num_heads below 1 must be refused by a ValueError that names both, also where it divides d_model."""
    x = seeded((5, d_model))
    expect_error(lambda: submission.split_heads(x, num_heads), mentions=(d_model, num_heads))


@pytest.mark.points(1)
@pytest.mark.parametrize("kind", ["int64", "float32", "view"])
def test_any_numbers_and_an_untouched_argument(submission, reference, kind):
    """Numbers of any dtype must keep their values, and the argument its own."""
    h, L, d_model = 3, 4, 15
    if kind == "int64":
        x = np.arange(L * d_model).reshape(L, d_model) - 30
    elif kind == "float32":
        x = seeded((L, d_model), dtype=np.float32)
    else:
        x = seeded((d_model, L)).T  # (d_model, L) -> (L, d_model), not contiguous
    got = submission.split_heads(x, h)
    assert_close(got, reference.split_heads(x, h), axes="h L d_k", dtype=x.dtype)
    assert_unchanged(submission)
