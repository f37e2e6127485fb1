"""Sample checks for 10_batch_first. Run them with: python -m pytest test_batch_first.py."""

import pytest
import torch
from batch_first import attend, make_attention
from torch import nn

X = torch.tensor([[[0.0]], [[1.0]]])  # (B, L, d) = (2, 1, 1): two sentences of one word


def attention_of_the_readme(*, batch_first):
    """All weights are 1, all biases 0."""
    mha = nn.MultiheadAttention(embed_dim=1, num_heads=1, batch_first=batch_first)
    with torch.no_grad():
        mha.in_proj_weight.fill_(1.0)
        mha.out_proj.weight.fill_(1.0)
    return mha.eval()


@pytest.mark.parametrize("batch_first", [True, False])
def test_example_of_the_readme(batch_first):
    """Each word is alone in its sentence and can only look at itself."""
    mha = attention_of_the_readme(batch_first=batch_first)
    torch.testing.assert_close(attend(mha, X), X)
    assert mha.batch_first is batch_first


def test_new_module():
    """It is for (B, L, d), and has the sizes that were asked for."""
    mha = make_attention(6, 3)
    assert isinstance(mha, nn.MultiheadAttention)
    assert mha.batch_first
    assert (mha.embed_dim, mha.num_heads) == (6, 3)
