"""Sample checks for 05_output_projection. Run them with: python -m pytest test_output_projection.py."""

import numpy as np
from output_projection import project_heads


def test_example_of_the_readme():
    """Two heads, two positions: the first two rows of W^O belong to head 0, the last two to head 1."""
    heads = np.array([[[1, 2], [3, 4]], [[5, 6], [7, 8]]])  # (h, L, d_v) = (2, 2, 2)
    w_o = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]])  # (h * d_v, d_model) = (4, 3)
    expected = np.array([[7, 2, 5], [11, 4, 7]])  # (L, d_model) = (2, 3)
    np.testing.assert_array_equal(project_heads(heads, w_o), expected)


def test_w_o_can_pick_one_head():
    """Where the rows of head 0 are 0, only head 1 is left, here with its two features exchanged."""
    heads = np.array([[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[0.5, -1.0], [1.5, 0.0], [2.5, 4.0]]])  # (2, 3, 2)
    w_o = np.array([[0.0, 0.0], [0.0, 0.0], [0.0, 1.0], [1.0, 0.0]])  # (4, 2)
    expected = np.array([[-1.0, 0.5], [0.0, 1.5], [4.0, 2.5]])  # (3, 2)
    np.testing.assert_allclose(project_heads(heads, w_o), expected)


def test_three_words_and_two_heads():
    """The example of the lesson, 猫吃鱼 with a causal mask, and a W^O that sums up: everything, then each head."""
    heads = np.array(
        [
            [[1.0, 0.0], [0.1956, 0.8044], [1.0, 0.3333]],
            [[1.0, 0.0], [0.1956, 0.8044], [0.4011, 0.7967]],
        ]
    )  # (h, L, d_v) = (2, 3, 2)
    w_o = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [1.0, 0.0, 1.0], [1.0, 0.0, 1.0]])  # (4, 3)
    expected = np.array([[2.0, 1.0, 1.0], [2.0, 1.0, 1.0], [2.5311, 1.3333, 1.1978]])  # (3, 3)
    np.testing.assert_allclose(project_heads(heads, w_o), expected)
