"""Sample checks for 09_scaled_dot_product. Run them with: python -m pytest test_scaled_dot_product.py."""

import torch
from scaled_dot_product import attention, attention_sdpa

# The example of the README: one sentence, one head, one query, three keys; the scores are 0, ln 2 and ln 3.
Q = torch.tensor([[[[2.0, 0.0, 0.0, 0.0]]]])  # (B, h, L, d_k) = (1, 1, 1, 4)
K = torch.tensor([[[[0.0, 0.0, 0.0, 0.0], [0.69314718, 0.0, 0.0, 0.0], [1.09861229, 0.0, 0.0, 0.0]]]])
V = torch.tensor([[[[6.0, 0.0], [0.0, 6.0], [6.0, 6.0]]]])  # (B, h, S, d_v) = (1, 1, 3, 2)
ALLOWED = torch.tensor([[True, True, False]])  # (L, S) = (1, 3)


def test_weights_and_output_of_the_readme():
    """Without a mask."""
    out, weights = attention(Q, K, V)
    torch.testing.assert_close(weights, torch.tensor([[[[1 / 6, 2 / 6, 3 / 6]]]]))
    torch.testing.assert_close(out, torch.tensor([[[[4.0, 5.0]]]]))


def test_blocked_key_of_the_readme():
    """The last key is blocked; the two others share the whole weight."""
    out, weights = attention(Q, K, V, ALLOWED)
    torch.testing.assert_close(weights, torch.tensor([[[[1 / 3, 2 / 3, 0.0]]]]))
    torch.testing.assert_close(out, torch.tensor([[[[2.0, 4.0]]]]))


def test_one_call_gives_the_same_output():
    """With and without the mask."""
    torch.testing.assert_close(attention_sdpa(Q, K, V), torch.tensor([[[[4.0, 5.0]]]]))
    torch.testing.assert_close(attention_sdpa(Q, K, V, ALLOWED), torch.tensor([[[[2.0, 4.0]]]]))
