"""What exercise 09 and its cards say of torch, held to the installed release."""

import math

import pytest
import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention, softmax


def tensors(*, d_v: int = 6, queries: int = 5) -> tuple[Tensor, Tensor, Tensor]:
    torch.manual_seed(0)
    shapes = ((4, 3, queries, 6), (4, 3, 7, 6), (4, 3, 7, d_v))
    q, k, v = (torch.randn(shape, dtype=torch.float64) for shape in shapes)
    return q, k, v


def by_hand(q: Tensor, k: Tensor, v: Tensor, to_add: Tensor | float = 0.0, scale: float | None = None) -> Tensor:
    scores = q @ k.mT * (scale or 1 / math.sqrt(q.shape[-1])) + to_add
    return torch.softmax(scores, dim=-1) @ v


ALLOWED = torch.ones(5, 7, dtype=torch.bool).tril(1)
CAUSAL = torch.ones(5, 7, dtype=torch.bool).tril()  # begins at the top left
BLOCK = {name: torch.zeros(5, 7).masked_fill(~mask, -math.inf) for name, mask in (("all", ALLOWED), ("causal", CAUSAL))}


def test_scale_is_a_factor_in_place_of_one_over_the_root() -> None:
    """Without a word the scores must be divided by the root of d_k; with `scale`, multiplied with it alone."""
    q, k, v = tensors()
    torch.testing.assert_close(scaled_dot_product_attention(q, k, v), by_hand(q, k, v))
    torch.testing.assert_close(scaled_dot_product_attention(q, k, v, scale=0.5), by_hand(q, k, v, scale=0.5))
    with pytest.raises(TypeError, match=r"takes from 3 to 6 positional arguments but 7 were given"):
        scaled_dot_product_attention(q, k, v, None, 0.0, False, 0.5)


def test_true_means_may_attend() -> None:
    """A bool mask must keep what is True."""
    q, k, v = tensors()
    torch.testing.assert_close(scaled_dot_product_attention(q, k, v, ALLOWED), by_hand(q, k, v, BLOCK["all"]))


def test_a_float_mask_is_added_and_whole_numbers_are_refused() -> None:
    """Ones and zeros as floats must count as numbers to add; as whole numbers they must be refused."""
    q, k, v = tensors()
    for ones in (ALLOWED.double(), ALLOWED.float()):
        torch.testing.assert_close(scaled_dot_product_attention(q, k, v, ones), by_hand(q, k, v, ALLOWED.double()))
    with pytest.raises(RuntimeError, match=r"^Expected attn_mask dtype to be bool or float or to match query dtype, "):
        scaled_dot_product_attention(q, k, v, ALLOWED.int())


def test_is_causal_blocks_the_future_from_the_top_left() -> None:
    """The switch alone must mask, and row 0 must see key 0 only, whatever S is."""
    q, k, v = tensors()
    causal = scaled_dot_product_attention(q, k, v, is_causal=True)
    torch.testing.assert_close(causal, by_hand(q, k, v, BLOCK["causal"]))
    torch.testing.assert_close(causal[:, :, 0], v[:, :, 0])


@pytest.mark.parametrize(("d_v", "raises"), [(6, False), (2, True)], ids=["d_v = d_k", "d_v ≠ d_k"])
def test_a_mask_and_is_causal_are_applied_both_or_refused(d_v: int, raises: bool) -> None:
    """Torch 2.13 must apply both without a word where d_v = d_k, and refuse them elsewhere (four axes, CPU)."""
    q, k, v = tensors(d_v=d_v)
    if raises:
        with pytest.raises(RuntimeError, match="Explicit attn_mask should not be set when is_causal=True"):
            scaled_dot_product_attention(q, k, v, ALLOWED, is_causal=True)
        return
    both = scaled_dot_product_attention(q, k, v, ALLOWED, is_causal=True)
    torch.testing.assert_close(both, scaled_dot_product_attention(q, k, v, ALLOWED & CAUSAL))


def test_dropout_knows_of_no_mode() -> None:
    """Weights must be dropped in any call with dropout_p, be gradients on or off."""
    q, k, v = tensors()
    with torch.no_grad():
        dropped = scaled_dot_product_attention(q, k, v, dropout_p=0.5)
    assert not torch.allclose(dropped, scaled_dot_product_attention(q, k, v))


def test_one_tensor_comes_back() -> None:
    """Unpacking must take the batch apart, without an error where it holds two sentences."""
    q, k, v = tensors()
    first, _second = scaled_dot_product_attention(q[:2], k[:2], v[:2])
    assert first.shape == (3, 5, 6)
    with pytest.raises(ValueError, match=r"^too many values to unpack"):
        _out, _weights = scaled_dot_product_attention(q, k, v)
    with pytest.raises(TypeError, match="unexpected keyword argument 'need_weights'"):
        scaled_dot_product_attention(q, k, v, need_weights=False)


def test_positions_before_heads_are_heads_that_attend_to_each_other() -> None:
    """(B, L, h, d) must pass where L = S and raise elsewhere."""
    q, k, v = (tensor.transpose(1, 2) for tensor in tensors(queries=7))
    assert scaled_dot_product_attention(q, k, v).shape == (4, 7, 3, 6)
    with pytest.raises(RuntimeError, match=r"The size of tensor a \(5\) must match the size of tensor b \(7\)"):
        scaled_dot_product_attention(q[:, :5], k, v)


def test_softmax_asks_for_its_axis() -> None:
    """Without an axis torch.softmax must refuse; F.softmax must warn and take the heads of four axes."""
    scores = tensors()[0]
    with pytest.raises(TypeError, match=r'softmax\(\) missing 1 required positional arguments: "dim"'):
        torch.softmax(scores)
    with pytest.warns(UserWarning, match="Implicit dimension choice"):
        guessed = softmax(scores)
    torch.testing.assert_close(guessed, scores.softmax(dim=1))


def test_what_numpy_does_and_torch_does_not() -> None:
    """A root of an int, the maximum along an axis, 1 - mask and .T of four axes must be what the cards say."""
    scores = tensors()[0]
    with pytest.raises(TypeError, match=r"^sqrt\(\): argument 'input' \(position 1\) must be Tensor, not int$"):
        torch.sqrt(6)
    with pytest.raises(TypeError, match=r"'Tensor' and 'torch.return_types.max'$"):
        scores - scores.max(dim=-1, keepdim=True)
    with pytest.raises(RuntimeError, match=r"^Subtraction, the `-` operator, with a bool tensor is not supported"):
        1 - ALLOWED
    with pytest.warns(UserWarning, match="tensors of dimension other than 2"):
        assert scores.T.shape == scores.shape[::-1]


def test_assignment_by_mask_stretches_nothing() -> None:
    """A mask in brackets must be as large as the scores, whereas masked_fill stretches it."""
    scores = torch.zeros(4, 3, 5, 7)
    with pytest.raises(IndexError, match=r"^The shape of the mask \[5, 7\] at index 0 does not match"):
        scores[~ALLOWED] = -1.0
    assert scores.masked_fill(~ALLOWED, -1.0).shape == scores.shape
    assert (~ALLOWED * -math.inf).isnan().sum() == ALLOWED.sum()


def test_a_mask_without_head_axis_is_taken_for_heads_where_b_is_h() -> None:
    """(B, L, S) must be refused, unless B = h: then sentence i masks head i."""
    q, k, v = (tensor[:3] for tensor in tensors())
    masks = torch.stack([ALLOWED, CAUSAL, torch.ones(5, 7, dtype=torch.bool)])
    silent = scaled_dot_product_attention(q, k, v, masks)
    torch.testing.assert_close(silent, scaled_dot_product_attention(q, k, v, masks[None]))
    with pytest.raises(RuntimeError, match="must match"):
        scaled_dot_product_attention(q[:2], k[:2], v[:2], masks[:2])


def test_a_query_without_keys_is_zero_in_one_call_and_nan_by_hand() -> None:
    """Where all keys of a query are blocked: 0 from the one call, NaN by hand, the mean of the values with -1e9."""
    q, k, v = tensors()
    allowed = ALLOWED.clone()
    allowed[2] = False
    assert not scaled_dot_product_attention(q, k, v, allowed)[:, :, 2].any()
    scores = q @ k.mT / math.sqrt(6)
    assert (scores.masked_fill(~allowed, -math.inf).softmax(dim=-1) @ v)[:, :, 2].isnan().all()
    even = scores.masked_fill(~allowed, -1e9).softmax(dim=-1) @ v
    torch.testing.assert_close(even[:, :, 2], v.mean(dim=-2))


@pytest.mark.parametrize("p", [0.1, 0.5])
def test_dropout_leaves_a_weight_of_0_or_one_that_is_enlarged(p: float) -> None:
    """With a single key, whose weight is 1, each output is 0 or the value divided by 1 - p, in every mode."""
    torch.manual_seed(1)
    one = torch.ones(1, 1, 1, 1, dtype=torch.float64)
    with torch.no_grad():
        out = scaled_dot_product_attention(one.expand(1, 1, 1000, 1), one, one, dropout_p=p)
    kept = out[out != 0]
    torch.testing.assert_close(kept, torch.full_like(kept, 1 / (1 - p)))
    assert 0 < kept.numel() < 1000
