"""Hidden checks for 05_output_projection: Concat(head_1, …, head_h) W^O (Vaswani et al. 2017, section 3.2.2)."""

import numpy as np
import pytest

from grader.checks import assert_close, assert_numbers, assert_shape, assert_unchanged, seeded

SIZES = pytest.mark.parametrize(("h", "L", "d_v", "d_model"), [(3, 5, 6, 7), (2, 7, 3, 4), (5, 4, 2, 13)])


def weights(rows, d_model):
    """A random W^O: every row and every column is another one."""
    return seeded((rows, d_model), seed=10)


@pytest.mark.points(1)
@SIZES
def test_result_has_d_model_columns(submission, h, L, d_v, d_model):
    """The result must have a row for each position and as many columns as W^O, which are not h * d_v here.

    Why: it speaks of the shape alone, before anybody has to think about values, and gives its point for that much.
    """
    got = submission.project_heads(seeded((h, L, d_v)), weights(h * d_v, d_model))
    assert_shape(got, L=L, d_model=d_model)
    assert_numbers(got)


@pytest.mark.points(2)
@SIZES
def test_head_i_meets_its_own_rows(submission, reference, h, L, d_v, d_model):
    """With only head i different from 0, only its own rows of W^O must show, every feature its own row.

    Why: names the head whose rows are wrong, where the sum over all heads would only say that something is.
    """
    w_o = weights(h * d_v, d_model)
    for i in range(h):
        heads = np.zeros((h, L, d_v))
        heads[i] = seeded((L, d_v), seed=i)
        got = submission.project_heads(heads, w_o)
        assert_close(got, reference.project_heads(heads, w_o), axes="L d_model")


@pytest.mark.points(3)
@SIZES
def test_result_is_the_sum_over_heads(submission, reference, h, L, d_v, d_model):
    """The result must be the sum over heads of head i times its rows of W^O, and nothing more.

    Why: this is the task itself; the checks after it repeat it for unusual sizes and dtypes.
    """
    heads, w_o = seeded((h, L, d_v), seed=1), weights(h * d_v, d_model)
    got = submission.project_heads(heads, w_o)
    assert_close(got, reference.project_heads(heads, w_o), axes="L d_model")


@pytest.mark.points(2)
@pytest.mark.parametrize(("h", "L", "d_v"), [(3, 5, 2), (2, 3, 4), (2, 4, 2)])
def test_square_w_o_is_used_as_it_is(submission, reference, h, L, d_v):
    """Where d_model is h * d_v, every shape fits either way; W^O must still be neither turned nor left out.

    Why: in most models W^O is square, and there a turned W^O raises nothing.
    """
    heads, w_o = seeded((h, L, d_v), seed=2), weights(h * d_v, h * d_v)
    got = submission.project_heads(heads, w_o)
    assert_close(got, reference.project_heads(heads, w_o), axes="L d_model")


@pytest.mark.points(1)
@pytest.mark.parametrize(("h", "L", "d_v", "d_model"), [(1, 4, 3, 5), (3, 1, 5, 4), (4, 3, 1, 6)])
def test_one_head_one_position_or_one_feature(submission, reference, h, L, d_v, d_model):
    """An axis of length 1 must be treated like any other."""
    heads, w_o = seeded((h, L, d_v), seed=3), weights(h * d_v, d_model)
    got = submission.project_heads(heads, w_o)
    assert_close(got, reference.project_heads(heads, w_o), axes="L d_model")


@pytest.mark.points(1)
@pytest.mark.parametrize("kind", ["whole heads", "whole numbers", "float32", "view"])
def test_any_numbers_and_untouched_arguments(submission, reference, kind):
    """Numbers of any dtype must give the same product, and both arguments must stay as they were."""
    h, L, d_v, d_model = 3, 4, 5, 7
    heads, w_o = seeded((h, L, d_v), seed=4), weights(h * d_v, d_model)
    if kind in ("whole heads", "whole numbers"):
        heads = np.arange(h * L * d_v).reshape(h, L, d_v) % 7 - 3
    if kind == "whole numbers":
        w_o = np.arange(h * d_v * d_model).reshape(h * d_v, d_model) % 5 - 2
    elif kind == "float32":
        heads, w_o = heads.astype(np.float32), w_o.astype(np.float32)
    elif kind == "view":
        heads = seeded((L, h, d_v), seed=4).swapaxes(0, 1)  # (L, h, d_v) -> (h, L, d_v), not contiguous
        w_o = seeded((d_model, h * d_v), seed=4).T  # (d_model, h * d_v) -> (h * d_v, d_model), not contiguous
    got = submission.project_heads(heads, w_o)
    assert_close(got, reference.project_heads(heads, w_o), axes="L d_model", dtype=w_o.dtype)
    assert_unchanged(submission)
