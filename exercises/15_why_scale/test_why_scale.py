"""Sample checks for 15_why_scale. Run them with: python -m pytest test_why_scale.py."""

import math

import torch
from why_scale import gradient_norm, score_std, softmax_jacobian


def test_spread_of_six_scores():
    """The example of the task: the scores are 1, 1, 5 and 1, 4, 0, their mean is 2."""
    q = torch.tensor([[1.0, 0.0, 2.0, -1.0], [0.0, 1.0, 1.0, 1.0]])  # (L, d_k) = (2, 4)
    k = torch.tensor([[1.0, 1.0, 0.0, 0.0], [0.0, 2.0, 1.0, 1.0], [2.0, 0.0, 1.0, -1.0]])  # (S, d_k) = (3, 4)
    assert math.isclose(score_std(q, k), math.sqrt(20 / 6), rel_tol=1e-5)


def test_jacobian_of_three_weights():
    """The example of the task: weights 1/2, 1/4 and 1/4."""
    weights = torch.tensor([0.5, 0.25, 0.25])  # (S,)
    expected = torch.tensor([[0.25, -0.125, -0.125], [-0.125, 0.1875, -0.0625], [-0.125, -0.0625, 0.1875]])  # (S, S)
    torch.testing.assert_close(softmax_jacobian(weights), expected)


def test_norm_of_two_scores():
    """The example of the task: the scores 0 and 16, first as they are, then scaled by 1/8."""
    scores = torch.tensor([[0.0, 16.0]], dtype=torch.float64)  # (L, S) = (1, 2)
    assert math.isclose(gradient_norm(scores, 1.0), 2.2507e-7, rel_tol=1e-4, abs_tol=1e-9)
    assert math.isclose(gradient_norm(scores, 0.125), 0.026248, rel_tol=1e-4)
