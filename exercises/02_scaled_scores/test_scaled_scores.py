"""Sample checks for 02_scaled_scores. Run them with: python -m pytest test_scaled_scores.py."""

import numpy as np
from scaled_scores import scaled_scores


def test_example_of_the_readme():
    """One head, two queries, three keys, d_k = 3."""
    q = np.array([[[1, 0, 2], [0, 1, 1]]])  # (h, L, d_k) = (1, 2, 3)
    k = np.array([[[1, 1, 0], [2, 0, 1], [0, 3, 1]]])  # (h, S, d_k) = (1, 3, 3)
    expected = np.array([[[0.57735027, 2.30940108, 1.15470054], [0.57735027, 0.57735027, 2.30940108]]])  # (h, L, S)
    np.testing.assert_allclose(scaled_scores(q, k), expected, rtol=1e-6)


def test_three_words_and_two_heads():
    """The example of the lesson, 猫吃鱼, split into two heads: d_k = 2, so the products are divided by √2 = 1.4142."""
    q = np.array([[[1.0, 1.0], [0.0, 2.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 2.0], [1.0, 1.0]]])  # (h, L, d_k)
    k = np.array([[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], [[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]])  # (h, S, d_k)
    expected = np.array(
        [
            [[0.7071, 0.7071, 1.4142], [0.0, 1.4142, 1.4142], [0.0, 0.0, 0.0]],
            [[0.0, 0.0, 0.0], [0.0, 1.4142, 0.0], [0.7071, 0.7071, 0.0]],
        ]
    )
    np.testing.assert_allclose(scaled_scores(q, k), expected, atol=5e-5)
