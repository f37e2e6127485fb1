"""What the author of a hidden suite imports: inputs that repeat, and assertions that say what is wrong in plain words.

An assertion looks at one thing after the other (type, shape by named axes, kind of dtype, NaN, values) and fails with
the first that is wrong, as a `CheckFailure` whose message is rendered later in the student's language. Values are
compared on our side, after the submission has answered, and `not (difference <= tolerance)` keeps NaN from passing.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from grader.model import Message
from grader.sandbox.client import Raised, RemoteObject, Subject
from grader.sandbox.wire import Opaque

Array = npt.NDArray[Any]

# Relative and absolute tolerance by the dtype of the input; whole numbers and bools are as exact as float64.
TOLERANCE = {"float32": 1e-5, "float64": 1e-9}

_WHOLE = "iu"
_REAL = "iuf"
_NUMBER = (bool, int, float, complex, np.generic)


class CheckFailure(AssertionError):
    """A rule that the submission breaks.

    Attributes:
        message: the sentence for the student, a key of grader/texts/checks.toml.
    """

    def __init__(self, message: Message) -> None:
        super().__init__(f"{message.key} {dict(message.fields)}")
        self.message = message


def _fail(key: str, **fields: str | float) -> NoReturn:
    raise CheckFailure(Message(f"checks.{key}", fields))


# --- inputs ------------------------------------------------------------------------------------------------------


def seeded(shape: Sequence[int], seed: int = 0, dtype: npt.DTypeLike = np.float64) -> Array:
    """Standard normal numbers of this shape: the same for the same shape and seed, other ones for any other."""
    return np.random.default_rng([seed, *shape]).standard_normal(tuple(shape)).astype(dtype)


# --- shape -------------------------------------------------------------------------------------------------------


def assert_shape(got: object, /, **axes: int) -> None:
    """Fails unless `got` is an array with these axes, named with their lengths, in this order.

    A result of shape (L, d_model) is held to assert_shape(got, L=5, d_model=18); without axes, it is one number.

    Raises:
        CheckFailure: another type, another number of axes, the right lengths in another order, or other lengths.
    """
    _assert_shape(got, tuple(axes), tuple(axes.values()))


def _assert_shape(got: object, names: tuple[str, ...], want: tuple[int, ...]) -> Array:
    """The result as an array of the wanted shape."""
    if isinstance(got, np.ndarray):
        array = got
    elif isinstance(got, _NUMBER) and not want:
        array = np.asarray(got)
    else:
        _wrong_type(got, names)
    shape, expected = _tuple(array.shape), f"{_tuple(want)} = {_tuple(names)}"
    if array.ndim != len(want):
        if not want:
            _fail("expected_number", got=shape)
        _fail("axes_count", got_count=array.ndim, got=shape, expected_count=len(want), expected=expected)
    if array.shape != want:
        same_lengths = sorted(array.shape) == sorted(want)
        _fail("axes_order" if same_lengths else "wrong_shape", got=shape, expected=expected)
    return array


def _tuple(items: Sequence[object]) -> str:
    inside = ", ".join(map(str, items))
    return f"({inside},)" if len(items) == 1 else f"({inside})"


def _wrong_type(got: object, names: tuple[str, ...]) -> NoReturn:
    """Says what came back in place of the array with these axes, or of the number where there are none."""
    if got is None:
        _fail("returned_nothing")
    if isinstance(got, Opaque | RemoteObject):
        kind, detail = got.type_name, got.detail if isinstance(got, Opaque) else ""
    else:
        kind, detail = type(got).__name__, ""
    if not names:
        _fail("no_number", type=kind)
    axes = _tuple(names)
    if isinstance(got, list | tuple):
        arrays = sum(isinstance(item, np.ndarray) for item in got)
        if arrays:
            _fail("sequence_of_arrays", type=kind, count=arrays, axes=axes)
        _fail("sequence", type=kind, axes=axes)
    if isinstance(got, _NUMBER):
        _fail("single_number", type=kind, axes=axes)
    if detail:
        _fail("no_array_detail", type=kind, detail=detail, axes=axes)
    _fail("no_array", type=kind, axes=axes)


# --- values ------------------------------------------------------------------------------------------------------


def assert_close(got: object, want: object, axes: str = "", dtype: npt.DTypeLike | None = None) -> None:
    """Fails unless `got` equals `want` in type, shape, kind of dtype and every value.

    Args:
        got: what the submission returned.
        want: the expected array, or the expected number (then any number or array without axes will do).
        axes: a name for each axis of `want`, "L d_model".
        dtype: dtype of the input, which sets the tolerance; left out, that of `want`.

    A result of whole numbers may be float and the other way round; only where True and False are expected, nothing
    else will do. An infinity is met by the same infinity, a NaN by nothing.

    Raises:
        CheckFailure: the first of these that does not hold.
        ValueError: the suite is at fault: `axes` does not fit `want`, or `want` holds NaN.
    """
    expected = np.asarray(want)
    names = tuple(axes.split())
    if len(names) != expected.ndim:
        raise ValueError(f"axes={axes!r} names {len(names)} axes, the expected value has {expected.ndim}")
    result = _assert_shape(got, names, expected.shape)
    _assert_kind(result, expected)
    if expected.dtype.kind == "b":
        _assert_equal(result, expected, names)
    else:
        _assert_values(result, expected, names, np.dtype(dtype or expected.dtype))


def _assert_kind(got: Array, want: Array) -> None:
    kind = want.dtype.kind
    allowed = {"b": "b", "c": f"{_REAL}c"}.get(kind, _REAL)
    if got.dtype.kind not in allowed:
        _fail("dtype_bool" if kind == "b" else "dtype_number", got=str(got.dtype))


def _assert_equal(got: Array, want: Array, names: tuple[str, ...]) -> None:
    wrong = got != want
    if wrong.any():
        first = _first(wrong)
        fields = {"expected": str(want[first]), "got": str(got[first])}
        if not names:
            _fail("wrong_bool", **fields)
        _fail("wrong_bools", wrong=int(wrong.sum()), total=wrong.size, where=_place(names, first), **fields)


def _assert_values(got: Array, want: Array, names: tuple[str, ...], dtype: np.dtype[Any]) -> None:
    if np.isnan(want).any():
        raise ValueError("the expected value holds NaN, which nothing can equal")
    _assert_finite(got, want, names)
    tolerance = _tolerance(dtype)
    common = np.result_type(want, np.float64)
    with np.errstate(all="ignore"):
        allowed = tolerance + tolerance * np.abs(want)
        close = np.abs(got.astype(common) - want.astype(common)) <= allowed
    # inf - inf is NaN and inf * tolerance is inf: an infinity is compared by itself
    wrong = ~np.where(np.isfinite(want), close, got == want)
    if not wrong.any():
        return
    first = _first(wrong)
    expected, found = _told_apart(want[first], got[first])
    fields = {"expected": expected, "got": found, "tolerance": _short(float(allowed[first]))}
    if not names:
        _fail("wrong_number", **fields)
    _fail("wrong_values", wrong=int(wrong.sum()), total=wrong.size, where=_place(names, first), **fields)


def _assert_finite(got: Array, want: Array, names: tuple[str, ...]) -> None:
    unexpected = np.isinf(got) & np.isfinite(want)
    for key, key_of_number, bad in (("nan", "nan_number", np.isnan(got)), ("infinite", "infinite_number", unexpected)):
        if not bad.any():
            continue
        first = _first(bad)
        expected = _number(want[first])
        if not names:
            _fail(key_of_number, expected=expected)
        _fail(key, count=int(bad.sum()), total=bad.size, where=_place(names, first), expected=expected)


def _tolerance(dtype: np.dtype[Any]) -> float:
    if dtype.kind in f"b{_WHOLE}":
        return TOLERANCE["float64"]
    if dtype.kind == "c":
        dtype = np.dtype(f"f{dtype.itemsize // 2}")
    if dtype.name not in TOLERANCE:
        raise ValueError(f"no tolerance is set for dtype {dtype.name}: {', '.join(TOLERANCE)} have one")
    return TOLERANCE[dtype.name]


def _first(wrong: Array) -> tuple[int, ...]:
    """Index of the first True in C order, () in an array without axes."""
    return tuple(int(i) for i in np.unravel_index(int(np.argmax(wrong)), wrong.shape))


def _place(names: tuple[str, ...], index: tuple[int, ...]) -> str:
    return ", ".join(f"{name}={i}" for name, i in zip(names, index, strict=True))


def _told_apart(want: Any, got: Any) -> tuple[str, str]:
    """Both numbers, short where that shows the difference."""
    short = _number(want), _number(got)
    return short if short[0] != short[1] else (repr(want.item()), repr(got.item()))


def _number(value: Any) -> str:
    plain = value.item()
    if isinstance(plain, float):
        return _short(plain, digits=6)
    return f"{plain:.6g}" if isinstance(plain, complex) else str(plain)


def _short(value: float, digits: int = 2) -> str:
    """1e-9, where Python writes 1e-09."""
    return re.sub(r"e([+-])0+", r"e\1", f"{value:.{digits}g}") if math.isfinite(value) else str(value)


# --- types of numbers ---------------------------------------------------------------------------------------------


def assert_whole(got: object) -> None:
    """Fails unless `got` is a whole number: a Python int, or an integer of numpy; its value may be any.

    Raises:
        CheckFailure: a float, however whole its value, a bool, an array, or no number at all.
    """
    if isinstance(got, int | np.integer) and not isinstance(got, bool):
        return
    array = _assert_shape(got, (), ())  # says what came back, where that is no number
    _fail("no_whole_number", type=type(got).__name__, got=str(array.item()))


# --- what a call does beside returning ---------------------------------------------------------------------------


def assert_unchanged(submission: Subject) -> None:
    """Fails where the last call changed one of its arguments in place."""
    if submission.changed:
        _fail("changed_argument", name=", ".join(submission.changed))


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
            raise CheckFailure(Message("checks.text_lacks", fields)) from raised
        return
    _fail("no_error", expected=wanted)


def _is_named(item: str, text: str) -> bool:
    return re.search(rf"(?<![\d])(?<!\d\.){re.escape(item)}(?!\d|\.\d)", text) is not None
