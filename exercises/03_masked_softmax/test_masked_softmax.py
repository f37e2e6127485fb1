"""Sample checks for 03_masked_softmax. Run them with: python -m pytest test_masked_softmax.py."""

import numpy as np
from masked_softmax import causal_allowed, masked_softmax


def test_causal_mask_of_three_positions():
    """Each position sees itself and what came before."""
    expected = np.array([[True, False, False], [True, True, False], [True, True, True]])
    allowed = causal_allowed(3)
    assert allowed.dtype == bool
    np.testing.assert_array_equal(allowed, expected)


def test_example_of_the_readme():
    """One head, one query, three keys: the scores ln 1, ln 2, ln 3, then the same with the last key blocked."""
    scores = np.array([[[0.0, 0.69314718, 1.09861229]]])  # (h, L, S) = (1, 1, 3)
    np.testing.assert_allclose(masked_softmax(scores), [[[1 / 6, 2 / 6, 3 / 6]]], rtol=1e-6)
    allowed = np.array([[True, True, False]])  # (L, S) = (1, 3)
    np.testing.assert_allclose(masked_softmax(scores, allowed), [[[1 / 3, 2 / 3, 0.0]]], rtol=1e-6)


def test_three_words_and_two_heads():
    """The example of the lesson, 猫吃鱼 with a causal mask: scores of two heads, already divided by √2."""
    scores = np.array(
        [
            [[0.70710678, 0.70710678, 1.41421356], [0.0, 1.41421356, 1.41421356], [0.0, 0.0, 0.0]],
            [[0.0, 0.0, 0.0], [0.0, 1.41421356, 0.0], [0.70710678, 0.70710678, 0.0]],
        ]
    )  # (h, L, S) = (2, 3, 3)
    expected = np.array(
        [
            [[1.0, 0.0, 0.0], [0.1956, 0.8044, 0.0], [0.3333, 0.3333, 0.3333]],
            [[1.0, 0.0, 0.0], [0.1956, 0.8044, 0.0], [0.4011, 0.4011, 0.1978]],
        ]
    )
    np.testing.assert_allclose(masked_softmax(scores, causal_allowed(3)), expected, atol=5e-5)
