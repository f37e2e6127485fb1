"""Sample checks for 01_split_heads. Run them with: python -m pytest test_split_heads.py."""

import numpy as np
import pytest
from split_heads import split_heads


def test_example_of_the_readme():
    """Every number tells where it comes from: 10 * position + column."""
    x = np.array(
        [
            [0, 1, 2, 3, 4, 5],
            [10, 11, 12, 13, 14, 15],
            [20, 21, 22, 23, 24, 25],
            [30, 31, 32, 33, 34, 35],
        ]
    )  # (L, d_model) = (4, 6)
    expected = np.array(
        [
            [[0, 1, 2], [10, 11, 12], [20, 21, 22], [30, 31, 32]],
            [[3, 4, 5], [13, 14, 15], [23, 24, 25], [33, 34, 35]],
        ]
    )  # (h, L, d_k) = (2, 4, 3)
    np.testing.assert_array_equal(split_heads(x, 2), expected)


def test_three_words_and_two_heads():
    """The queries of the lesson, 猫吃鱼: head 1 gets the first two numbers of each word, head 2 the others."""
    q = np.array([[1.0, 1.0, 0.0, 0.0], [0.0, 2.0, 0.0, 2.0], [0.0, 0.0, 1.0, 1.0]])  # (L, d_model) = (3, 4)
    expected = np.array([[[1.0, 1.0], [0.0, 2.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 2.0], [1.0, 1.0]]])
    np.testing.assert_array_equal(split_heads(q, 2), expected)


@pytest.mark.parametrize("num_heads", [4, 0])
def test_what_does_not_fit_is_refused(num_heads):
    """Six columns cannot be given to 4 heads or to none; the text names both numbers."""
    with pytest.raises(ValueError, match=str(num_heads)) as caught:
        split_heads(np.ones((5, 6)), num_heads)
    assert "6" in str(caught.value)
