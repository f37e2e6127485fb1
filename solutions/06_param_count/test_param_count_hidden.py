"""Hidden checks for 06_param_count: what heads cost (Vaswani et al. 2017, section 3.2.2)."""

import pytest

from grader.checks import assert_close, assert_whole, expect_error

SIZES = pytest.mark.parametrize(("d_model", "num_heads"), [(24, 4), (42, 3), (768, 12), (10, 1), (5, 5)])


@pytest.mark.points(1)
@SIZES
def test_head_dim_is_an_equal_part(submission, reference, d_model, num_heads):
    """The width of a head must be d_model divided by num_heads."""
    got = submission.head_dim(d_model, num_heads)
    assert_close(got, reference.head_dim(d_model, num_heads))


@pytest.mark.points(2)
@pytest.mark.parametrize(("d_model", "num_heads"), [(10, 4), (11, 4), (512, 7), (4, 8), (768, 10)])
def test_indivisible_width_is_refused(submission, d_model, num_heads):
    """A d_model that num_heads does not divide must be refused by a ValueError that names both."""
    expect_error(lambda: submission.head_dim(d_model, num_heads), mentions=(d_model, num_heads))


@pytest.mark.points(1)
@pytest.mark.parametrize(("d_model", "num_heads"), [(12, 0), (12, -3), (64, -1), (10, -3)])
def test_fewer_than_one_head_is_refused(submission, d_model, num_heads):
    """A num_heads below 1 must be refused by a ValueError that names both, also where it divides d_model."""
    expect_error(lambda: submission.head_dim(d_model, num_heads), mentions=(d_model, num_heads))


@pytest.mark.points(2)
@SIZES
def test_naive_plan_gives_every_head_the_full_width(submission, reference, d_model, num_heads):
    """The naive plan must have three full matrices for each head, and nothing else."""
    got = submission.count_naive(d_model, num_heads)
    assert_close(got, reference.count_naive(d_model, num_heads))


@pytest.mark.points(2)
@pytest.mark.parametrize("d_model", [24, 60, 768])
@pytest.mark.parametrize("num_heads", [1, 3, 4, 12])
def test_multi_head_bill_has_four_matrices(submission, reference, d_model, num_heads):
    """Without biases the bill must be four matrices of full width, for any number of heads, asked in either way."""
    for got in (
        submission.count_multi_head(d_model, num_heads),
        submission.count_multi_head(d_model, num_heads, bias=False),
    ):
        assert_close(got, reference.count_multi_head(d_model, num_heads))


@pytest.mark.points(1)
@pytest.mark.parametrize(("d_model", "num_heads"), [(24, 4), (64, 8), (768, 12), (10, 1)])
def test_each_projection_has_a_bias_if_asked_for(submission, reference, d_model, num_heads):
    """With bias=True four biases must be added, one number for each column, and without it none."""
    without = submission.count_multi_head(d_model, num_heads, bias=False)
    got = submission.count_multi_head(d_model, num_heads, bias=True)
    assert_close(without, reference.count_multi_head(d_model, num_heads, bias=False))
    assert_close(got, reference.count_multi_head(d_model, num_heads, bias=True))


@pytest.mark.points(1)
@pytest.mark.parametrize(("d_model", "num_heads"), [(24, 4), (768, 12)])
def test_widths_and_counts_are_whole_numbers(submission, d_model, num_heads):
    """All three functions must return whole numbers, a Python int or an integer of numpy, never a float."""
    answers = (
        submission.head_dim(d_model, num_heads),
        submission.count_naive(d_model, num_heads),
        submission.count_multi_head(d_model, num_heads),
        submission.count_multi_head(d_model, num_heads, bias=True),
    )
    for answer in answers:
        assert_whole(answer)
