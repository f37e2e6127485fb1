"""What exercise 15 tells of torch, and the tables of its task, hold in the torch that is installed."""

from __future__ import annotations

import math

import pytest
import torch


def drawn(rows: int, keys: int, d_k: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Standard normal queries and keys of one seed."""
    generator = torch.Generator().manual_seed(0)
    sizes = ((rows, d_k), (keys, d_k))
    q, k = (torch.randn(size, generator=generator, dtype=torch.float64) for size in sizes)
    return q, k


def norms_of_rows(scores: torch.Tensor, scale: float) -> torch.Tensor:
    """The norm of d softmax(scores * scale) / d scores for each row."""
    p = (scores * scale).softmax(dim=-1)
    return scale * (torch.diag_embed(p) - p.unsqueeze(-1) * p.unsqueeze(-2)).flatten(-2).norm(dim=-1)


def test_std_of_torch_divides_by_one_less() -> None:
    """In torch 2.13 the deviation of 0 and 2 is √2, unless correction=0 or unbiased=False asks for 1."""
    numbers = torch.tensor([0.0, 2.0])
    assert math.isclose(numbers.std().item(), math.sqrt(2), rel_tol=1e-6)
    assert numbers.std(correction=0).item() == numbers.std(unbiased=False).item() == 1.0


@pytest.mark.parametrize(("d_k", "told"), [(4, 2.0), (64, 8.1), (1024, 31.7)])
def test_spread_grows_as_the_root_of_d_k(d_k: int, told: float) -> None:
    """The first table: measured with 200 queries and 300 keys, near √d_k."""
    q, k = drawn(200, 300, d_k)
    measured = (q @ k.mT).std(correction=0).item()
    assert round(measured, 1) == told
    assert abs(measured / math.sqrt(d_k) - 1) < 0.02


@pytest.mark.parametrize(
    ("d_k", "unscaled", "scaled"), [(4, 0.34, 0.17), (64, 0.070, 0.044), (256, 0.0020, 0.022), (1024, 0.0000019, 0.011)]
)
def test_typical_row_loses_its_gradient_without_the_scale(d_k: int, unscaled: float, scaled: float) -> None:
    """The second table: the median over 1000 queries with 10 keys, to two digits."""
    q, k = drawn(1000, 10, d_k)
    for scale, told in ((1.0, unscaled), (d_k**-0.5, scaled)):
        assert math.isclose(norms_of_rows(q @ k.mT, scale).median().item(), told, rel_tol=0.03)


def test_norm_over_all_rows_hides_the_typical_one() -> None:
    """With d_k = 1024 the norm of all rows together is larger without the scale, though most rows have no gradient."""
    q, k = drawn(1000, 10, 1024)
    unscaled, scaled = norms_of_rows(q @ k.mT, 1.0), norms_of_rows(q @ k.mT, 1 / 32)
    assert unscaled.norm() > 5 * scaled.norm()
    assert 1000 * unscaled.median() < scaled.median()


def test_sum_of_weights_has_no_gradient() -> None:
    """A backward pass from the sum of all weights leaves rounding only, since every row sums to 1."""
    scores = drawn(4, 5, 6)[0].requires_grad_()
    scores.softmax(dim=-1).sum().backward()
    assert scores.grad is not None
    assert scores.grad.abs().max() < 1e-15


@pytest.mark.parametrize(("size", "axis"), [((2, 3), 1), ((2, 3, 4), 0), ((2, 3, 4, 5), 1)])
def test_softmax_without_an_axis_takes_another_one_for_three_axes(size: tuple[int, ...], axis: int) -> None:
    """In torch 2.13 F.softmax without dim warns and takes axis 1 of two or four axes, axis 0 of three."""
    x = torch.arange(math.prod(size), dtype=torch.float64).reshape(size)
    with pytest.warns(UserWarning, match="Implicit dimension"):
        got = torch.nn.functional.softmax(x)
    assert torch.equal(got, x.softmax(dim=axis))
