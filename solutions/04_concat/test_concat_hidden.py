"""Hidden checks for 04_concat: heads back into d_model (Vaswani et al. 2017, section 3.2.2)."""

import numpy as np
import pytest

from grader.checks import assert_close, assert_numbers, assert_shape, assert_unchanged, seeded

SIZES = pytest.mark.parametrize(("h", "L", "d_v"), [(3, 5, 6), (2, 7, 3), (5, 4, 2)])


@pytest.mark.points(1)
@SIZES
def test_result_has_a_row_for_each_position(submission, h, L, d_v):
    """The result must be one array of numbers with a row for each position and d_v columns for each head.

    Why: it speaks of the shape alone, before anybody has to think about places, and gives its point for that much.
    """
    got = submission.concat_heads(seeded((h, L, d_v)))
    assert_shape(got, L=L, d_model=h * d_v)
    assert_numbers(got)


@pytest.mark.points(2)
@SIZES
def test_row_t_holds_position_t(submission, reference, h, L, d_v):
    """Row t must hold numbers of position t only, whatever their order: here they all are t + 1.

    Why: tells a mix-up of positions from one of heads or features, and gives points where only the latter is wrong.
    """
    heads = np.broadcast_to(np.arange(1.0, L + 1)[:, None], (h, L, d_v)).copy()  # (L, 1) -> (h, L, d_v)
    got = submission.concat_heads(heads)
    assert_close(got, reference.concat_heads(heads), axes="L d_model")


@pytest.mark.points(1)
@SIZES
def test_heads_stand_in_order(submission, reference, h, L, d_v):
    """Each head must have one block of columns, in the order of the heads: here all its numbers are i + 1.

    Why: tells a mix-up of heads from one of features, and gives its point where only the latter is wrong.
    """
    heads = np.broadcast_to(np.arange(1.0, h + 1)[:, None, None], (h, L, d_v)).copy()  # (h, 1, 1) -> (h, L, d_v)
    got = submission.concat_heads(heads)
    assert_close(got, reference.concat_heads(heads), axes="L d_model")


@pytest.mark.points(4)
@SIZES
def test_head_i_fills_its_own_columns(submission, reference, h, L, d_v):
    """Head i must fill columns i * d_v to (i + 1) * d_v, every feature in its place.

    Why: this is the task itself; the checks after it repeat it for unusual sizes and dtypes.
    """
    heads = seeded((h, L, d_v), seed=1)
    got = submission.concat_heads(heads)
    assert_close(got, reference.concat_heads(heads), axes="L d_model")


@pytest.mark.points(1)
@pytest.mark.parametrize(("h", "L", "d_v"), [(1, 4, 3), (3, 1, 5)])
def test_one_head_or_one_position(submission, reference, h, L, d_v):
    """An axis of length 1 must be treated like any other."""
    heads = seeded((h, L, d_v), seed=2)
    got = submission.concat_heads(heads)
    assert_close(got, reference.concat_heads(heads), axes="L d_model")


@pytest.mark.points(1)
@pytest.mark.parametrize("kind", ["int64", "float32", "view"])
def test_any_numbers_and_an_untouched_argument(submission, reference, kind):
    """Numbers of any dtype must keep their values, and the argument its own.

    Why: whoever is right for float64 may still lose digits of float32, rely on the memory order, or write into heads.
    """
    if kind == "int64":
        heads = np.arange(3 * 4 * 5).reshape(3, 4, 5) - 30
    elif kind == "float32":
        heads = seeded((3, 4, 5), dtype=np.float32)
    else:
        heads = seeded((4, 3, 5)).swapaxes(0, 1)  # (L, h, d_v) -> (h, L, d_v), not contiguous
    got = submission.concat_heads(heads)
    assert_close(got, reference.concat_heads(heads), axes="L d_model", dtype=heads.dtype)
    assert_unchanged(submission)
