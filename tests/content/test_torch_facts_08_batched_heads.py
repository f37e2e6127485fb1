"""What exercise 08 says of torch, held to the installed release."""

import pytest
import torch

from grader.course import Course, load_module
from grader.sandbox.client import Raised
from grader.sandbox.subject import LocalSubject


def test_a_transpose_moves_no_numbers() -> None:
    """A transposed tensor must be the same memory, read in another order."""
    x = torch.arange(24.0).view(2, 3, 4)
    turned = x.transpose(0, 1)
    assert turned.data_ptr() == x.data_ptr()
    assert not turned.is_contiguous()


def test_view_refuses_what_does_not_lie_in_order() -> None:
    """A view after a transpose must raise what the task quotes; a view that cuts an axis must always work."""
    turned = torch.zeros(4, 3, 5, 6).transpose(1, 2)
    with pytest.raises(RuntimeError, match=r"^view size is not compatible with input tensor's size and stride \("):
        turned.view(4, 5, 18)
    assert turned.view(4, 5, 3, 2, 3).shape == (4, 5, 3, 2, 3)


def test_view_and_reshape_tell_of_sizes_in_the_same_words() -> None:
    """An indivisible width must end in the same RuntimeError, which names neither d_model nor the number of heads."""
    x = torch.zeros(2, 5, 32)
    for lay in (x.view, x.reshape):
        with pytest.raises(RuntimeError, match=r"^shape '\[2, 5, 8, 8\]' is invalid for input of size 320$"):
            lay(2, 5, 8, 8)


def test_chunk_may_give_fewer_pieces_than_asked_for() -> None:
    """Where the count does not divide the width, pieces must come out unequal or fewer, without an error."""
    assert len(torch.zeros(4).chunk(6)) == 4
    assert [len(piece) for piece in torch.zeros(8).chunk(3)] == [3, 3, 2]
    assert len(torch.zeros(8).split(8 // 3)) == 4


def test_transpose_takes_two_axes_only() -> None:
    """The way to transpose in numpy must end in the TypeError that the card quotes."""
    with pytest.raises(TypeError, match=r"^transpose\(\) takes 2 positional arguments but 4 were given$"):
        torch.zeros(2, 3, 4, 5).transpose(0, 2, 1, 3)


def test_matmul_works_on_the_last_two_axes() -> None:
    """One product must serve every sentence and every head."""
    q, k = torch.randn(4, 3, 5, 6), torch.randn(4, 3, 7, 6)
    product = q @ k.transpose(-2, -1)
    torch.testing.assert_close(product[2, 1], q[2, 1] @ k[2, 1].T)


def test_only_what_changes_numbers_shapes_or_ends_is_a_wrong_reshape(course: Course) -> None:
    """A class counts as the lesson's wrong reshape no answer whose every number is in its place, in whatever memory."""
    models = load_module(course.exercises["08_batched_heads"].solution / "mistakes.py")
    probes = models.probes()

    def numbers(**options: str) -> list[object]:
        subject = LocalSubject(models.build(**options))
        return [_numbers(models, subject, probe) for probe in probes]

    right = numbers()
    told = {slug: numbers(**{stage: option}) != right for slug, (stage, option) in models.MISTAKES.items()}
    assert [slug for slug in told if course.mistakes[slug].row == "E3" and not told[slug]] == []
    assert not told["reshape-taken-for-a-copy"]  # the everyday transpose(1, 2).reshape(B, L, -1)


def _numbers(models: object, subject: LocalSubject, probe: dict[str, object]) -> object:
    """What comes of one probe, wherever its numbers lie in memory."""
    try:
        found = models.observe(subject, probe)
    except Raised as raised:
        return raised.report.types
    found = found["merged"] if isinstance(found, dict) else found
    return (found.shape, found.tolist()) if isinstance(found, torch.Tensor) else repr(found)
