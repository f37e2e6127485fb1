"""Hidden checks for 15_why_scale: the spread of scores and the gradient of a softmax (Vaswani et al. 2017, 3.2.1)."""

import pytest
import torch

from grader.checks import assert_close, assert_unchanged, seeded_tensor

MEAN = 0.7  # of q and k: without it, the spread and the root of the mean square are hard to tell apart


@pytest.mark.points(2)
@pytest.mark.parametrize(
    ("front", "L", "S", "d_k"), [((), 5, 7, 6), ((3,), 5, 2, 7), ((4, 3), 5, 7, 6), ((2, 3), 7, 7, 5)]
)
def test_spread_is_over_all_pairs(submission, reference, front, L, S, d_k):
    """score_std must be the spread of q·k over all pairs of a query and a key, whatever axes stand in front.

    Why: this is the task of score_std itself; the next check repeats it where the divisor is plain to see.
    """
    q, k = seeded_tensor((*front, L, d_k)) + MEAN, seeded_tensor((*front, S, d_k), seed=1) + MEAN
    got = submission.score_std(q, k)
    assert_close(got, reference.score_std(q, k))


@pytest.mark.points(1)
@pytest.mark.parametrize(("L", "S", "d_k"), [(1, 2, 3), (2, 3, 5), (1, 4, 6)])
def test_spread_is_that_of_the_population(submission, reference, L, S, d_k):
    """The sum of squares must be divided by the number of pairs: here there are six of them, or fewer.

    Why: with few pairs a wrong divisor is a large difference, and the rule names the cause.
    """
    q, k = seeded_tensor((L, d_k), seed=2), seeded_tensor((S, d_k), seed=3)
    got = submission.score_std(q, k)
    assert_close(got, reference.score_std(q, k))


@pytest.mark.points(1)
@pytest.mark.parametrize("S", [2, 3, 7])
def test_jacobian_of_one_row(submission, reference, S):
    """One row of weights p must give diag(p) − p pᵀ.

    Why: gives its point to a formula that is right for one row, whatever becomes of more axes.
    """
    weights = seeded_tensor((S,)).softmax(dim=-1)
    got = submission.softmax_jacobian(weights)
    assert_close(got, reference.softmax_jacobian(weights), axes="weight score")


@pytest.mark.points(2)
@pytest.mark.parametrize(
    ("front", "S", "axes"), [((5,), 3, "L"), ((4,), 4, "L"), ((2, 5), 3, "h L"), ((2, 3, 4), 5, "B h L")]
)
def test_every_row_has_its_own_jacobian(submission, reference, front, S, axes):
    """Each row of weights must give its own table, whatever axes stand in front of it.

    Why: this is the task of softmax_jacobian itself.
    """
    weights = seeded_tensor((*front, S), seed=1).softmax(dim=-1)
    got = submission.softmax_jacobian(weights)
    assert_close(got, reference.softmax_jacobian(weights), axes=f"{axes} weight score")


@pytest.mark.points(2)
@pytest.mark.parametrize("scale", [1.0, 0.4, 2.5])
@pytest.mark.parametrize("size", [(5,), (4, 3), (2, 5, 4), (2, 3, 4, 5)], ids=str)
def test_norm_follows_the_scale(submission, reference, size, scale):
    """gradient_norm must have the scale inside the softmax and in the chain rule, and cover the rows together.

    Why: this is the task of gradient_norm itself.
    """
    scores = seeded_tensor(size, seed=4)
    got = submission.gradient_norm(scores, scale)
    assert_close(got, reference.gradient_norm(scores, scale))


@pytest.mark.points(1)
@pytest.mark.parametrize("scale", [1.0, 0.5])
def test_far_apart_scores_leave_no_gradient(submission, reference, scale):
    """Scores that lie thousands apart must give a finite norm, close to 0.

    Why: exp of such scores overflows, and a gradient that is gone is what the exercise is about.
    """
    scores = 1000.0 * torch.tensor([[1.0, -3.0, 4.0], [0.0, 9.0, 2.0], [-8.0, -2.0, -5.0]], dtype=torch.float64)
    got = submission.gradient_norm(scores, scale)
    assert_close(got, reference.gradient_norm(scores, scale))


@pytest.mark.points(1)
def test_float32_and_untouched_arguments(submission, reference):
    """float32 must do as well as float64, and no argument may change, not even in asking for gradients.

    Why: whoever differentiates by machine easily leaves the caller's scores asking for gradients.
    """
    q, k = seeded_tensor((2, 5, 6), dtype=torch.float32), seeded_tensor((2, 7, 6), dtype=torch.float32)
    got = submission.score_std(q, k)
    assert_unchanged(submission)
    assert_close(got, reference.score_std(q, k), dtype=torch.float32)
    weights = seeded_tensor((4, 3), dtype=torch.float32).softmax(dim=-1)
    got = submission.softmax_jacobian(weights)
    assert_unchanged(submission)
    assert_close(got, reference.softmax_jacobian(weights), axes="L weight score")
    scores = seeded_tensor((4, 5), dtype=torch.float32)
    got = submission.gradient_norm(scores, 0.5)
    assert_unchanged(submission)
    assert_close(got, reference.gradient_norm(scores, 0.5), dtype=torch.float32)
