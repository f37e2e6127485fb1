"""What the author of a hidden suite imports: inputs that repeat, and assertions that say what is wrong in plain words.

An assertion fails with the first thing that is wrong, as a `CheckFailure` whose message is rendered later in the
student's language. Answers are compared on our side, after the submission has given them; how, stands in comparison.py.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from grader.comparison import (
    Array,
    CheckFailure,
    as_array,
    assert_above_zero,
    assert_close,
    assert_not_zero,
    assert_shape,
    assert_zero,
    dtype_name,
    fail,
    kind_of,
    tuple_text,
)
from grader.model import Message
from grader.sandbox.client import Raised, RemoteObject, Subject
from grader.sandbox.tensors import is_tensor
from grader.sandbox.wire import ExceptionReport

__all__ = [
    "CheckFailure",
    "Refusal",
    "assert_above_zero",
    "assert_called",
    "assert_close",
    "assert_contiguous",
    "assert_not_zero",
    "assert_numbers",
    "assert_shape",
    "assert_unchanged",
    "assert_whole",
    "assert_zero",
    "expect_error",
    "fail",
    "is_deliberate",
    "object_of",
    "refusal",
    "seeded",
    "seeded_tensor",
    "unpack",
]

# --- inputs ------------------------------------------------------------------------------------------------------


def seeded(shape: Sequence[int], seed: int = 0, dtype: npt.DTypeLike = np.float64) -> Array:
    """Standard normal numbers of this shape: the same for the same shape and seed, other ones for any other."""
    return _standard_normal(tuple(shape), seed).astype(dtype)  # a copy, whatever the dtype


@lru_cache(256)
def _standard_normal(shape: tuple[int, ...], seed: int) -> Array:
    return np.random.default_rng([seed, *shape]).standard_normal(shape)


def seeded_tensor(shape: Sequence[int], seed: int = 0, dtype: Any = None) -> Any:
    """The numbers of `seeded` as a tensor of torch, float64 unless a dtype of torch is given."""
    import torch  # noqa: PLC0415 - the exercises without torch never come here

    return torch.from_numpy(seeded(shape, seed)).to(dtype or torch.float64)


# --- types of numbers ---------------------------------------------------------------------------------------------


def assert_whole(got: object) -> None:
    """Fails unless `got` is a whole number: a Python int, or an integer of numpy; its value may be any.

    Raises:
        CheckFailure: a float, however whole its value, a bool, an array, or no number at all.
    """
    if isinstance(got, int | np.integer) and not isinstance(got, bool):
        return
    assert_shape(got)  # says what came back, where that is no number
    fail("no_whole_number", type=type(got).__name__, got=str(getattr(got, "item", lambda: got)()))


def assert_numbers(got: Any) -> None:
    """Fails unless an array or tensor holds real, finite numbers, whatever they are: for a check of the shape alone.

    Raises:
        CheckFailure: it holds truth values, complex numbers or text, or one of its numbers is NaN or infinite.
    """
    values = as_array(got) if is_tensor(type(got)) else np.asarray(got)
    if values.dtype.kind not in "iuf":
        fail("dtype_number", got=dtype_name(got) if hasattr(got, "dtype") else kind_of(got))
    bad = int((~np.isfinite(values)).sum())
    if bad:
        fail("not_finite", count=bad, total=values.size)


# --- several results, and how they lie in memory ------------------------------------------------------------------


def unpack(got: object, /, *names: str) -> tuple[Any, ...]:
    """The items of a tuple that has to hold these and no more.

        out, weights = unpack(submission.attend(mha, x), "out", "weights")

    Raises:
        CheckFailure: it is no tuple (a list will do), or one of another length.
    """
    if got is None:
        fail("returned_nothing")
    if not isinstance(got, tuple | list):
        fail("no_tuple", type=kind_of(got), count=len(names), names=tuple_text(names))
    if len(got) != len(names):
        fail("tuple_length", got=len(got), count=len(names), names=tuple_text(names))
    return tuple(got)


def assert_contiguous(got: object) -> None:
    """Fails unless the numbers of an array or tensor lie in memory in the order of its axes.

    Raises:
        CheckFailure: they do not, or it is neither array nor tensor.
    """
    if isinstance(got, np.ndarray):
        contiguous = got.flags.c_contiguous
    elif is_tensor(type(got)):
        contiguous = got.is_contiguous()  # type: ignore[attr-defined]
    elif got is None:
        fail("returned_nothing")
    else:
        fail("nothing_in_memory", type=kind_of(got))
    if not contiguous:
        fail("not_contiguous")


def object_of(got: object, /, name: str) -> RemoteObject:
    """The object of this class of the submission that has to come back.

        layer = object_of(submission.make("MultiHeadAttention.from_torch", mha), "MultiHeadAttention")

    Raises:
        CheckFailure: it is None, an array or another value, the class itself, or an object of a class of a library.
    """
    if got is None:
        fail("returned_nothing")
    kind = kind_of(got)
    if not isinstance(got, RemoteObject) or kind == "type" or kind.startswith(("torch.", "numpy.")):
        fail("no_object", type=kind, expected=name)
    return got


# --- what a call does beside returning ---------------------------------------------------------------------------


def assert_unchanged(submission: Subject) -> None:
    """Fails where the last call changed one of its arguments in place."""
    if submission.changed:
        fail("changed_argument", name=", ".join(submission.changed))


def assert_called(recording: RemoteObject, /, **arguments: object) -> None:
    """Fails where a call of a recording module had another value for one of these arguments; no call is right too.

    Args:
        recording: `submission.build(Build(..., recording=True))`, after the submission has used it.
    """
    for call in recording.calls():
        for name, expected in arguments.items():
            got = call.get(name)
            if got != expected:
                function = recording.type_name.rpartition(".")[2]
                fail("called_with", function=function, argument=name, got=str(got), expected=str(expected))


def expect_error(
    call: Callable[[], object], *, types: Sequence[str] = ("ValueError",), mentions: Sequence[object] = ()
) -> None:
    """Fails unless `call` raises one of `types` in the submission, with every one of `mentions` in its text.

    Args:
        call: a function without arguments, `lambda: submission.split_heads(x, 5)`.
        types: names of exceptions; a class derived from one of them will do.
        mentions: numbers (or words) that the text must name; 5 is not named by 15, 5.2 or 50.

    Raises:
        CheckFailure: nothing was raised, another type was, or the text does not name them all.
        Raised: the function is not written yet (NotImplementedError): that is no wrong exception.
    """
    wanted = " / ".join(types)
    try:
        call()
    except Raised as raised:
        report = raised.report
        if raised.not_written:
            raise
        if not set(types) & set(report.types):
            message = Message("checks.wrong_error", {"type": report.type_name, "text": report.text, "expected": wanted})
            raise CheckFailure(message) from raised
        lacking = [str(item) for item in mentions if not _is_named(str(item), report.text)]
        if lacking:
            fields = {"type": report.type_name, "text": report.text, "missing": ", ".join(lacking)}
            key = "text_lacks" if is_deliberate(report) or not report.code else "text_by_accident"
            raise CheckFailure(Message(f"checks.{key}", fields)) from raised
        return
    fail("no_error", expected=wanted)


def _is_named(item: str, text: str) -> bool:
    return re.search(rf"(?<![\d])(?<!\d\.){re.escape(item)}(?!\d|\.\d)", text) is not None


# --- what mistakes.py observes ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Refusal:
    """How a call refuses arguments that the task wants refused; two are alike where their manners are.

    Attributes:
        manner: as the task says, which is what `expect_error` accepts; by an exception of the code's own whose text
            lacks something; by one of its own of another type; or not at all, an exception that merely comes about.
        text: the exception in full, or the value that came back, for display.
    """

    manner: Literal["as asked", "text lacks", "another type", "none"]
    text: str


def refusal(
    call: Callable[[], object],
    *,
    types: Sequence[str] = ("ValueError",),
    mentions: Sequence[object] = (),
    any_value: bool = False,
) -> Any:
    """For `observe`, where the arguments must be refused: the `Refusal`, or the value that comes back in its place.

    Args:
        call: a function without arguments, `lambda: subject.split_heads(x, 5)`.
        types, mentions: as for `expect_error`.
        any_value: whether it does not matter which value comes back: then that too is a `Refusal`, of manner "none".

    Raises:
        Raised: the function is not written yet (NotImplementedError).
    """
    try:
        value = call()
    except Raised as raised:
        if raised.not_written:
            raise
        report = raised.report
        text = f"{report.type_name}: {report.text}" if report.text else report.type_name
        return Refusal(_manner(report, types, mentions), text)
    return Refusal("none", kind_of(value)) if any_value else value


def _manner(
    report: ExceptionReport, types: Sequence[str], mentions: Sequence[object]
) -> Literal["as asked", "text lacks", "another type", "none"]:
    right_type = set(types) & set(report.types)
    if right_type and all(_is_named(str(item), report.text) for item in mentions):
        return "as asked"  # whoever raised it: `expect_error` accepts it too
    if not is_deliberate(report):
        return "none"
    return "text lacks" if right_type else "another type"


def is_deliberate(report: ExceptionReport) -> bool:
    """Whether a line of the code itself raised the exception, and not what that line calls."""
    raised = re.search(r"\braise\b\s*(\w*)", report.code)
    if raised is None:
        return report.type_name == "AssertionError" and re.search(r"\bassert\b", report.code) is not None
    # `if d_model % num_heads: raise ValueError` may end in a ZeroDivisionError before it raises anything
    return raised[1] == report.type_name or not isinstance(getattr(builtins, raised[1], None), type)
