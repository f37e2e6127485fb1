"""Sample checks for 04_concat. Run them with: python -m pytest test_concat.py."""

import numpy as np
from concat import concat_heads


def test_example_of_the_readme():
    """Every number tells where it comes from: 100 * head + 10 * position + feature."""
    heads = np.array(
        [
            [[0, 1, 2, 3], [10, 11, 12, 13], [20, 21, 22, 23]],
            [[100, 101, 102, 103], [110, 111, 112, 113], [120, 121, 122, 123]],
        ]
    )  # (h, L, d_v) = (2, 3, 4)
    expected = np.array(
        [
            [0, 1, 2, 3, 100, 101, 102, 103],
            [10, 11, 12, 13, 110, 111, 112, 113],
            [20, 21, 22, 23, 120, 121, 122, 123],
        ]
    )  # (L, d_model) = (3, 8)
    np.testing.assert_array_equal(concat_heads(heads), expected)


def test_three_words_and_two_heads():
    """The example of the lesson, 猫吃鱼 with a causal mask: each row is head 1 beside head 2."""
    heads = np.array(
        [
            [[1.0, 0.0], [0.1956, 0.8044], [1.0, 0.3333]],
            [[1.0, 0.0], [0.1956, 0.8044], [0.4011, 0.7967]],
        ]
    )  # (h, L, d_v) = (2, 3, 2)
    expected = np.array([[1.0, 0.0, 1.0, 0.0], [0.1956, 0.8044, 0.1956, 0.8044], [1.0, 0.3333, 0.4011, 0.7967]])
    np.testing.assert_allclose(concat_heads(heads), expected)
