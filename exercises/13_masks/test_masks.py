"""Sample checks for 13_masks. Run them with: python -m pytest test_masks.py."""

import torch
from masks import causal_attention, padded_attention, to_sdpa_mask
from torch import nn

T, F = True, False
X = torch.tensor([[[6.0, 0.0], [0.0, 6.0], [3.0, 9.0]]])  # (B, L, d) = (1, 3, 2)


def module_with_equal_scores():
    """Two heads of one column; every score is 0, and values and output are the columns themselves."""
    mha = nn.MultiheadAttention(embed_dim=2, num_heads=2, batch_first=True)
    with torch.no_grad():
        mha.in_proj_weight.copy_(torch.cat([torch.zeros(4, 2), torch.eye(2)]))
        mha.out_proj.weight.copy_(torch.eye(2))
    return mha.eval()


def test_each_position_is_the_mean_of_what_it_may_see():
    """Position i has the weights 1/(i+1) for the keys 0 to i, in both heads."""
    out, weights = causal_attention(module_with_equal_scores(), X)
    table = torch.tensor([[1.0, 0.0, 0.0], [1 / 2, 1 / 2, 0.0], [1 / 3, 1 / 3, 1 / 3]])
    torch.testing.assert_close(weights.detach(), table.expand(1, 2, 3, 3))
    torch.testing.assert_close(out.detach(), torch.tensor([[[6.0, 0.0], [3.0, 3.0], [3.0, 5.0]]]))


def test_padding_is_not_seen():
    """With two real positions both are the mean of the two; the third may be anything."""
    out, weights = padded_attention(module_with_equal_scores(), X, torch.tensor([2]))
    torch.testing.assert_close(weights[:, :, :2].detach(), torch.tensor([0.5, 0.5, 0.0]).expand(1, 2, 2, 3))
    torch.testing.assert_close(out[:, :2].detach(), torch.tensor([[[3.0, 3.0], [3.0, 3.0]]]))


def test_masks_of_the_readme():
    """True means blocked on the left, allowed on the right."""
    key_padding_mask = torch.tensor([[F, F, T], [F, F, F]])  # (B, S) = (2, 3)
    attn_mask = torch.tensor([[F, T, F], [F, F, F]])  # (L, S) = (2, 3)
    expected = torch.tensor([[[[T, F, F], [T, T, F]]], [[[T, F, T], [T, T, T]]]])  # (B, 1, L, S) = (2, 1, 2, 3)
    got = to_sdpa_mask(key_padding_mask, attn_mask, batch=2, num_heads=4)
    torch.testing.assert_close(got, expected)
