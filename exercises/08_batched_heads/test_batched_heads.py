"""Sample checks for 08_batched_heads. Run them with: python -m pytest test_batched_heads.py."""

import torch
from batched_heads import merge_heads, split_heads

X = torch.tensor(
    [
        [[0, 1, 2, 3, 4, 5], [10, 11, 12, 13, 14, 15], [20, 21, 22, 23, 24, 25]],
        [[100, 101, 102, 103, 104, 105], [110, 111, 112, 113, 114, 115], [120, 121, 122, 123, 124, 125]],
    ],
    dtype=torch.float32,
)  # (B, L, d_model) = (2, 3, 6): 100 * sentence + 10 * position + column

HEADS = torch.tensor(
    [
        [[[0, 1, 2], [10, 11, 12], [20, 21, 22]], [[3, 4, 5], [13, 14, 15], [23, 24, 25]]],
        [[[100, 101, 102], [110, 111, 112], [120, 121, 122]], [[103, 104, 105], [113, 114, 115], [123, 124, 125]]],
    ],
    dtype=torch.float32,
)  # (B, h, L, d_k) = (2, 2, 3, 3)


def test_split_of_the_readme():
    """Every number tells where it comes from."""
    torch.testing.assert_close(split_heads(X, 2), HEADS)


def test_merge_of_the_readme():
    """The way back, in memory as it reads."""
    merged = merge_heads(HEADS)
    torch.testing.assert_close(merged, X)
    assert merged.is_contiguous()


def test_merge_of_a_view():
    """The same heads, whose numbers lie in memory in the order of `x`."""
    turned = HEADS.transpose(1, 2).contiguous().transpose(1, 2)  # equal to HEADS, but not contiguous
    torch.testing.assert_close(merge_heads(turned), X)
