"""The assertions of grader/checks.py on tensors, on several results, and on the calls of a recording module."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch

from grader import texts
from grader.checks import (
    CheckFailure,
    Refusal,
    assert_called,
    assert_close,
    assert_contiguous,
    assert_shape,
    expect_error,
    refusal,
    seeded,
    seeded_tensor,
    unpack,
)
from grader.model import LANGUAGES
from grader.sandbox.client import LocalSubject, Raised
from grader.sandbox.wire import Build, Opaque

WANT = torch.arange(6, dtype=torch.float64).reshape(2, 3)


def said(call: Any) -> str:
    """The English sentence of a failing assertion; the Chinese one has to render too."""
    with pytest.raises(CheckFailure) as caught:
        call()
    english, _chinese = (texts.say(caught.value.message, language) for language in LANGUAGES)
    return english


# what came back, in place of WANT -> the sentence about it
WRONG = {
    "None": (None, "The function returned nothing (None): is a `return` missing?"),
    "array": (WANT.numpy(), "The result is an array of numpy; expected a tensor of torch with the axes (L, d)."),
    "list": ([1, 2], "The result is of type list; expected one tensor with the axes (L, d)."),
    "number": (0.5, "The result is of type float; expected one tensor with the axes (L, d)."),
    "module's pair": (
        (WANT, None),
        "The result is a tuple holding tensors (1 of them); expected one tensor with the axes (L, d).",
    ),
    "label": (Opaque("Model"), "The result is of type Model; expected one tensor with the axes (L, d)."),
    "subclass": (
        Opaque("Lying", "a subclass of torch.Tensor"),
        "The result is of type Lying (a subclass of torch.Tensor); expected one plain tensor with the axes (L, d).",
    ),
    "an axis too many": (
        WANT[None],
        "Number of axes of the result: 3, shape (1, 2, 3). Expected: 2, shape (2, 3) = (L, d).",
    ),
    "transposed": (
        WANT.T,
        "The result has shape (3, 2); expected (2, 3) = (L, d). The lengths are right, the order of the axes is not.",
    ),
    "bools": (WANT > 1, "The result holds bool; expected real numbers (int or float)."),
    "NaN": (
        WANT / 0 * 0,
        (
            "NaN (not a number) in 6 of 6 places, first at index [0,0] (L, d), where 0 is expected. "
            "0/0 and inf − inf give NaN: look at what is divided, and at what goes into exp."
        ),
    ),
    "values": (
        WANT + 0.5,
        "Wrong: 6 of 6 numbers. The first is at index [0,0] (L, d): expected 0, got 0.5 (tolerance 1e-9).",
    ),
}


@pytest.mark.parametrize(("got", "sentence"), WRONG.values(), ids=WRONG)
def test_says_what_is_wrong_with_a_tensor(got: object, sentence: str) -> None:
    """Where a tensor is expected, every kind of wrong result has its sentence, an array of numpy too."""
    assert said(lambda: assert_close(got, WANT, axes="L d")) == sentence


def test_a_tensor_is_no_array() -> None:
    """Where an array of numpy is expected, a tensor is refused by name."""
    assert said(lambda: assert_close(WANT, WANT.numpy(), axes="L d")) == (
        "The result is a tensor of torch; expected an array of numpy with the axes (L, d)."
    )


@pytest.mark.parametrize(
    ("got", "want", "axes"),
    [
        (WANT.clone().requires_grad_(), WANT, "L d"),
        (torch.nn.Parameter(WANT), WANT.clone().requires_grad_(), "L d"),
        (WANT.T.contiguous().T, WANT, "L d"),
        (WANT.long(), WANT, "L d"),
        (WANT.float(), WANT, "L d"),
        (torch.tensor(4.0), 4, ""),
        (4.0, torch.tensor(4), ""),
        (np.float64(4), torch.tensor(4), ""),
        (torch.zeros(0, 3), torch.zeros(0, 3), "L S"),
        (torch.tensor([-torch.inf, 1]), torch.tensor([-torch.inf, 1]), "S"),
        (WANT > 1, WANT > 1, "L S"),
    ],
)
def test_lets_right_tensors_through(got: object, want: object, axes: str) -> None:
    """Gradients, layout in memory and width of the dtype are not compared; one number may come in any form."""
    assert_close(got, want, axes=axes)


@pytest.mark.parametrize(
    ("dtype", "tolerance"),
    [(torch.bfloat16, 4e-2), (torch.float16, 5e-3), (torch.float32, 1e-5), (torch.float64, 1e-9), (torch.int64, 1e-9)],
)
def test_tolerance_follows_the_dtype_of_torch(dtype: torch.dtype, tolerance: float) -> None:
    """Each dtype has its tolerance, named by the input or taken from the expected tensor."""
    want = torch.tensor([0.0, 1024.0], dtype=torch.float64)
    for share, passes in ((0.9, True), (1.1, False)):
        off = want + share * tolerance * torch.tensor([1.0, 1024.0])
        if passes:
            assert_close(off, want, axes="S", dtype=dtype)
        else:
            said(lambda off=off: assert_close(off, want, axes="S", dtype=dtype))
    assert_close(want.to(dtype) * (1 if dtype == torch.int64 else 1 + tolerance / 2), want.to(dtype), axes="S")


def test_assert_shape_takes_arrays_and_tensors() -> None:
    """Without a hint either will do; with one, only what is of its kind."""
    assert_shape(WANT, L=2, d=3)
    assert_shape(WANT, seeded_tensor((1,)), L=2, d=3)
    assert_shape(WANT.numpy(), L=2, d=3)
    assert_shape(torch.tensor(1.0))
    assert said(lambda: assert_shape(WANT.numpy(), WANT, L=2, d=3)) == (
        "The result is an array of numpy; expected a tensor of torch with the axes (L, d)."
    )
    assert said(lambda: assert_shape([WANT, WANT], L=2, d=3)).startswith("The result is a list holding tensors (2 of")
    assert (
        said(lambda: assert_shape([1], WANT, d=3))
        == "The result is of type list; expected one tensor with the axes (d,)."
    )
    assert said(lambda: assert_shape(WANT)) == "The result has shape (2, 3); expected a single number."


def test_seeded_tensors_hold_the_numbers_of_seeded() -> None:
    """A seeded tensor is float64 unless told otherwise, and repeats."""
    assert np.array_equal(seeded_tensor((3, 5), 2).numpy(), seeded((3, 5), 2))
    assert seeded_tensor((3, 5), dtype=torch.bfloat16).dtype == torch.bfloat16


def test_inputs_and_arrays_leave_torch_alone() -> None:
    """Importing the checks and comparing arrays loads no torch."""
    code = (
        "import sys; from grader.checks import assert_close, assert_shape, seeded; x = seeded((2, 3)); "
        "assert_close(x, x, axes='L d'); assert_shape(x, L=2, d=3); sys.exit('torch' in sys.modules)"
    )
    root = Path(__file__).parents[2]
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0


def test_contiguous_is_asked_of_arrays_and_tensors() -> None:
    """A transposed view is refused, its copy passes, and anything else has no layout."""
    for value in (WANT, WANT.numpy()):
        assert_contiguous(value)
        assert said(lambda value=value: assert_contiguous(value.T)) == (
            "The result is not contiguous: its numbers do not lie in memory in the order of its axes."
        )
    assert said(lambda: assert_contiguous([1])) == "The result is of type list; expected an array or a tensor."
    assert said(lambda: assert_contiguous(None)).startswith("The function returned nothing")


def test_several_results_are_taken_apart() -> None:
    """A tuple or list of exactly so many items is unpacked; one value, and one of another length, are told."""
    assert unpack((1, None), "out", "weights") == (1, None)
    assert unpack([1, 2], "out", "weights") == (1, 2)
    assert said(lambda: unpack(None, "out", "weights")).startswith("The function returned nothing")
    assert said(lambda: unpack(WANT, "out", "weights")) == (
        "What is returned is one value of type Tensor. Expected: a tuple of 2, (out, weights)."
    )
    assert said(lambda: unpack(Opaque("Pair"), "out", "weights")).startswith(
        "What is returned is one value of type Pair"
    )
    assert said(lambda: unpack((WANT,), "out", "weights")) == (
        "Values in the tuple that is returned: 1. Expected: 2, (out, weights)."
    )


def test_calls_of_a_recording_module_are_held_to_their_arguments() -> None:
    """The first call with another value is told with the argument; a module that was not called is right."""
    arguments = {"embed_dim": 6, "num_heads": 2, "batch_first": True}
    subject = LocalSubject(SimpleNamespace(attend=lambda m, x: m(x, x, x)[0]))
    made = subject.build(Build("torch.nn.MultiheadAttention", arguments, recording=True))
    assert_called(made, need_weights=False)
    subject.attend(made, torch.ones(1, 2, 6))
    assert_called(made, need_weights=True)
    assert said(lambda: assert_called(made, need_weights=False)) == (
        "MultiheadAttention was called with need_weights=True; expected need_weights=False."
    )


# --- refusals ----------------------------------------------------------------------------------------------------

REFUSES = """
class Indivisible(ValueError):
    pass
def asked(d, h):
    raise Indivisible(
        f"{d} is not divisible "
        f"by {h}"
    )
def wordless(d, h):
    if d % h: raise ValueError("not divisible")
def asserts(d, h):
    assert d % h == 0, f"{d} and {h}"
def stumbles(d, h):
    return int("ten")
def stumbles_over_both(d, h):
    return int(f"{d} {h}")
def divides(d, h):
    return d // h
def starter(d, h):
    raise NotImplementedError
"""


@pytest.fixture
def refuses(tmp_path: Path) -> LocalSubject:
    """Functions that refuse in different ways, in a file of their own."""
    path = tmp_path / "refuses.py"
    path.write_text(REFUSES)
    namespace = SimpleNamespace(__file__=str(path))
    exec(compile(REFUSES, str(path), "exec"), vars(namespace))  # noqa: S102 - source written above
    return LocalSubject(namespace)


@pytest.mark.parametrize(
    ("name", "manner", "text"),
    [
        ("asked", "as asked", "Indivisible: 10 is not divisible by 4"),
        ("wordless", "text lacks", "ValueError: not divisible"),
        ("asserts", "another type", "AssertionError: 10 and 4"),
        ("stumbles", "none", "ValueError: invalid literal for int() with base 10: 'ten'"),
        ("stumbles_over_both", "as asked", "ValueError: invalid literal for int() with base 10: '10 4'"),
    ],
)
def test_a_refusal_is_told_by_its_manner(refuses: LocalSubject, name: str, manner: Any, text: str) -> None:
    """What counts is type and text, as for `expect_error`, and of what is wrong, whether the code itself raised it."""
    assert refusal(lambda: refuses.call(name, 10, 4), mentions=(10, 4)) == Refusal(manner, text)


def test_what_is_not_refused_is_a_value(refuses: LocalSubject) -> None:
    """A value comes back as it is, unless any value is as bad as an accident; a starter refuses nothing."""
    assert refusal(lambda: refuses.divides(10, 4), mentions=(10, 4)) == 2
    assert refusal(lambda: refuses.divides(10, 4), any_value=True) == Refusal("none", "int")
    assert refusal(lambda: refuses.asserts(10, 4), types=("AssertionError",)).manner == "as asked"
    with pytest.raises(Raised):
        refusal(lambda: refuses.starter(10, 4))
    with pytest.raises(Raised):
        expect_error(lambda: refuses.starter(10, 4))
