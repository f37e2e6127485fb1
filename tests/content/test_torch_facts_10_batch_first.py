"""What exercise 10 and its cards say of torch, held to the installed release."""

import pytest
import torch
from torch import Tensor, nn


def module(*, batch_first: bool = False) -> nn.MultiheadAttention:
    torch.manual_seed(0)
    return nn.MultiheadAttention(18, 3, batch_first=batch_first).double()


def sentences() -> Tensor:
    torch.manual_seed(1)
    return torch.randn(4, 5, 18, dtype=torch.float64)  # (B, L, d)


@pytest.mark.parametrize("batch_first", [False, True])
def test_weights_begin_with_the_batch(batch_first: bool) -> None:
    """The output must keep the layout of the input, the weights begin with the batch in both layouts."""
    x = sentences() if batch_first else sentences().transpose(0, 1)
    out, weights = module(batch_first=batch_first)(x, x, x)
    assert out.shape == x.shape
    assert weights.shape == (4, 5, 5)


def test_mixed_up_layouts_raise_nothing() -> None:
    """By default (B, L, d) must pass, with weights of (L, B, B), and one sentence must move another."""
    mha, x = module(), sentences()
    out, weights = mha(x, x, x)
    assert out.shape == x.shape
    assert weights.shape == (5, 4, 4)
    x[2] += 1.0
    assert not torch.allclose(mha(x, x, x)[0][0], out[0])


def test_batch_first_is_a_transpose_around_the_call() -> None:
    """Both layouts must give the same values, and with batch_first sentences must never meet."""
    x = sentences()
    turned = x.transpose(0, 1)
    out = module(batch_first=True)(x, x, x)[0]
    torch.testing.assert_close(out, module()(turned, turned, turned)[0].transpose(0, 1))
    x[2] += 1.0
    torch.testing.assert_close(module(batch_first=True)(x, x, x)[0][0], out[0], rtol=0, atol=0)


def test_two_axes_are_one_sentence() -> None:
    """Without a batch axis both kinds of module must do the same."""
    sentence = sentences()[1]
    outs = [module(batch_first=flag)(sentence, sentence, sentence)[0] for flag in (False, True)]
    torch.testing.assert_close(outs[0], outs[1])
    x = sentences()
    torch.testing.assert_close(outs[0], module(batch_first=True)(x, x, x)[0][1])


def test_example_of_the_readme() -> None:
    """Mixed up, the two words must come out as 0.5 and 0.731."""
    mha = nn.MultiheadAttention(1, 1)
    with torch.no_grad():
        mha.in_proj_weight.fill_(1.0)
        mha.out_proj.weight.fill_(1.0)
    x = torch.tensor([[[0.0]], [[1.0]]])
    out = mha(x, x, x)[0]
    torch.testing.assert_close(out.flatten(), torch.tensor([0.5, 0.731]), rtol=0, atol=5e-4)


@pytest.mark.parametrize(
    ("sizes", "error", "text"),
    [
        ((20, 3), AssertionError, r"^embed_dim must be divisible by num_heads$"),
        ((3, 18), AssertionError, r"^embed_dim must be divisible by num_heads$"),
        ((18, 0), ValueError, r"^embed_dim and num_heads must be greater than 0"),
    ],
)
def test_sizes_that_are_refused(sizes: tuple[int, int], error: type[Exception], text: str) -> None:
    """An indivisible width must be an AssertionError, and no head a ValueError."""
    with pytest.raises(error, match=text):
        nn.MultiheadAttention(*sizes)


def test_third_place_is_dropout() -> None:
    """True by position must be taken for the dropout, and leave batch_first at False."""
    mha = nn.MultiheadAttention(18, 3, True)
    assert mha.dropout is True
    assert mha.batch_first is False
    assert mha.training


def test_texts_that_the_cards_quote() -> None:
    """A call with x alone, exchanged features, a lone query and kdim must raise what the cards say."""
    mha, x = module(), sentences()
    with pytest.raises(TypeError, match="missing 2 required positional arguments: 'key' and 'value'"):
        mha(x)
    with pytest.raises(AssertionError, match=r"^was expecting embedding dimension of 18, but got 5$"):
        mha(*[x.transpose(1, 2)] * 3)
    with pytest.raises(RuntimeError, match="is invalid for input of size"):
        mha(x.transpose(0, 1), x, x)
    with pytest.raises(AttributeError, match="'tuple' object has no attribute"):
        mha(x, x, x).transpose(0, 1)
    with pytest.raises(AssertionError, match=r"^expecting key weights shape of"):
        nn.MultiheadAttention(18, 3, kdim=6, vdim=6).double()(x, x, x)
