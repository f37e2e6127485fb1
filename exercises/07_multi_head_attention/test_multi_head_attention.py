"""Sample checks for 07_multi_head_attention. Run them with: python -m pytest test_multi_head_attention.py."""

import numpy as np
from multi_head_attention import MultiHeadAttention


def cat_eats_fish():
    """The layer of the readme: row t of np.eye(3, 4) picks row t of each matrix."""
    layer = MultiHeadAttention(4, 2)
    layer.w_q = np.array([[1, 1, 0, 0], [0, 2, 0, 2], [0, 0, 1, 1], [0, 0, 0, 0]])
    layer.w_k = np.array([[1, 0, 1, 0], [0, 1, 0, 1], [1, 1, 0, 0], [0, 0, 0, 0]])
    layer.w_v = np.array([[1, 0, 1, 0], [0, 1, 0, 1], [2, 0, 0, 2], [0, 0, 0, 0]])
    layer.w_o = np.eye(4)
    return layer


def test_three_words_with_a_causal_mask():
    """猫吃鱼 with the mask: 猫 sees itself alone, in both heads."""
    out, weights = cat_eats_fish().forward(np.eye(3, 4))
    expected_weights = np.array(
        [
            [[1.0, 0.0, 0.0], [0.1956, 0.8044, 0.0], [0.3333, 0.3333, 0.3333]],
            [[1.0, 0.0, 0.0], [0.1956, 0.8044, 0.0], [0.4011, 0.4011, 0.1978]],
        ]
    )  # (h, L, L) = (2, 3, 3)
    expected_out = np.array([[1.0, 0.0, 1.0, 0.0], [0.1956, 0.8044, 0.1956, 0.8044], [1.0, 0.3333, 0.4011, 0.7967]])
    np.testing.assert_allclose(weights, expected_weights, atol=5e-5)
    np.testing.assert_allclose(out, expected_out, atol=5e-5)


def test_three_words_without_a_mask():
    """猫吃鱼 without a mask: in head 0 the cat looks at the fish most, in head 1 at all words alike."""
    out, weights = cat_eats_fish().forward(np.eye(3, 4), causal=False)
    expected_weights = np.array(
        [
            [[0.2483, 0.2483, 0.5035], [0.1084, 0.4458, 0.4458], [0.3333, 0.3333, 0.3333]],
            [[0.3333, 0.3333, 0.3333], [0.1636, 0.6728, 0.1636], [0.4011, 0.4011, 0.1978]],
        ]
    )  # (h, L, L) = (2, 3, 3)
    expected_out = np.array([[1.2552, 0.2483, 0.3333, 1.0], [1.0, 0.4458, 0.1636, 1.0], [1.0, 0.3333, 0.4011, 0.7967]])
    np.testing.assert_allclose(weights, expected_weights, atol=5e-5)
    np.testing.assert_allclose(out, expected_out, atol=5e-5)


def test_another_w_o_gives_another_output():
    """The same layer with its columns of W^O shifted by one: the output shifts, the weights stay."""
    layer = cat_eats_fish()
    layer.w_o = np.array([[0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [1, 0, 0, 0]])
    out, weights = layer.forward(np.eye(3, 4))
    expected_out = np.array([[0.0, 1.0, 0.0, 1.0], [0.8044, 0.1956, 0.8044, 0.1956], [0.7967, 1.0, 0.3333, 0.4011]])
    np.testing.assert_allclose(out, expected_out, atol=5e-5)
    np.testing.assert_allclose(weights[1, 2], [0.4011, 0.4011, 0.1978], atol=5e-5)


def test_number_of_parameters():
    """Four matrices of 4 by 4 numbers, for any number of heads."""
    assert [MultiHeadAttention(4, num_heads).parameter_count() for num_heads in (1, 2, 4)] == [64, 64, 64]
