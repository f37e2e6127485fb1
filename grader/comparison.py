"""Compares an answer with what is expected, one thing after the other, and fails with the first that is wrong.

    type -> shape by named axes -> kind of dtype -> NaN and infinities -> values

Arrays of numpy and tensors of torch are compared alike, by one and the same code on our side; `not (difference <=
tolerance)` keeps NaN from passing. Torch is never imported: where it is not loaded there are no tensors.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, NoReturn

import numpy as np
import numpy.typing as npt

from grader.model import Message
from grader.sandbox.client import RemoteObject
from grader.sandbox.tensors import is_tensor
from grader.sandbox.wire import Opaque

Array = npt.NDArray[Any]

# Relative and absolute tolerance by the dtype of the input, a few roundings of each; whole numbers and bools are as
# exact as float64.
TOLERANCE = {"bfloat16": 4e-2, "float16": 5e-3, "float32": 1e-5, "float64": 1e-9}

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


def fail(key: str, **fields: str | float) -> NoReturn:
    """Fail with a sentence of grader/texts/checks.toml."""
    raise CheckFailure(Message(f"checks.{key}", fields))


def as_array(tensor: Any) -> Array:
    """The numbers of a tensor as an array, exactly: bfloat16, which numpy lacks, as float32."""
    plain = tensor.detach().resolve_conj().resolve_neg()
    array: Array = (plain.float() if dtype_name(plain) == "bfloat16" else plain).numpy()
    return array


def dtype_name(value: Any) -> str:
    """Name of the dtype of an array or tensor: "float32", "bfloat16"."""
    return str(value.dtype).removeprefix("torch.")


# --- type and shape ----------------------------------------------------------------------------------------------


class _Result(NamedTuple):
    values: Array
    dtype: str


def assert_shape(got: object, like: object = None, /, **axes: int) -> None:
    """Fails unless `got` is an array or a tensor with these axes, named with their lengths, in this order.

    A result of shape (L, d_model) is held to assert_shape(got, L=5, d_model=18); without axes, it is one number.

    Args:
        like: an array or a tensor, where only the one or the other will do; left out, both are right.

    Raises:
        CheckFailure: another type, another number of axes, the right lengths in another order, or other lengths.
    """
    if like is None:
        like = got if isinstance(got, np.ndarray) or is_tensor(type(got)) else _any_tensor(got)
    _shaped(got, tuple(axes), tuple(axes.values()), tensor=is_tensor(type(like)))


def _any_tensor(got: object) -> object:
    items = got if isinstance(got, list | tuple) else ()
    return next((item for item in items if is_tensor(type(item))), None)


def _shaped(got: object, names: tuple[str, ...], want: tuple[int, ...], *, tensor: bool) -> _Result:
    """The result as numbers of the wanted shape; a single number may be either, or none of the two."""
    if is_tensor(type(got)) and (tensor or not want):
        result = _Result(as_array(got), dtype_name(got))
    elif isinstance(got, np.ndarray) and (not tensor or not want):
        result = _Result(got, dtype_name(got))
    elif isinstance(got, _NUMBER) and not want:
        array = np.asarray(got)
        result = _Result(array, dtype_name(array))
    else:
        _wrong_type(got, names, tensor=tensor)
    _assert_axes(result.values.shape, names, want)
    return result


def _assert_axes(got: tuple[int, ...], names: tuple[str, ...], want: tuple[int, ...]) -> None:
    if got == want:
        return
    shape, expected = tuple_text(got), f"{tuple_text(want)} = {tuple_text(names)}"
    if len(got) != len(want):
        if not want:
            fail("expected_number", got=shape)
        fail("axes_count", got_count=len(got), got=shape, expected_count=len(want), expected=expected)
    fail("axes_order" if sorted(got) == sorted(want) else "wrong_shape", got=shape, expected=expected)


def tuple_text(items: Sequence[object]) -> str:
    """(5, 18), and (5,) for one, with the items as they are written alone."""
    inside = ", ".join(map(str, items))
    return f"({inside},)" if len(items) == 1 else f"({inside})"


def kind_of(value: object) -> str:
    """The name of a value's type, as its author would write it."""
    return value.type_name if isinstance(value, Opaque | RemoteObject) else type(value).__name__


def _wrong_type(got: object, names: tuple[str, ...], *, tensor: bool) -> NoReturn:
    """Says what came back in place of the array or tensor with these axes, or of the number where there are none."""
    if got is None:
        fail("returned_nothing")
    kind = kind_of(got)
    if not names:
        fail("no_number", type=kind)
    axes = tuple_text(names)
    if tensor:
        _no_tensor(got, kind, axes)
    if is_tensor(type(got)):
        fail("tensor_for_array", axes=axes)
    if isinstance(got, list | tuple):
        arrays = sum(isinstance(item, np.ndarray) for item in got)
        if arrays:
            fail("sequence_of_arrays", type=kind, count=arrays, axes=axes)
        fail("sequence", type=kind, axes=axes)
    if isinstance(got, _NUMBER):
        fail("single_number", type=kind, axes=axes)
    if isinstance(got, Opaque) and got.detail:
        fail("no_array_detail", type=kind, detail=got.detail, axes=axes)
    fail("no_array", type=kind, axes=axes)


def _no_tensor(got: object, kind: str, axes: str) -> NoReturn:
    """Says what came back in place of the tensor with these axes."""
    if isinstance(got, np.ndarray):
        fail("array_for_tensor", axes=axes)
    tensors = sum(is_tensor(type(item)) for item in got) if isinstance(got, list | tuple) else 0
    if tensors:
        fail("sequence_of_tensors", type=kind, count=tensors, axes=axes)
    if isinstance(got, Opaque) and got.detail:
        fail("no_tensor_detail", type=kind, detail=got.detail, axes=axes)
    fail("no_tensor", type=kind, axes=axes)


# --- values ------------------------------------------------------------------------------------------------------


def assert_zero(got: Any, places: Any, axes: str) -> None:
    """Fails unless the numbers of an array or tensor are exactly 0 at these places, a bool for each of them.

    Args:
        got: of a shape and kind that `assert_shape` and `assert_numbers` have looked at.
        places: True where 0 is expected; of the shape of `got`, or of its last axes.
        axes: a name for each axis of `got`, "h L S".
    """
    _assert_there("not_zero", got, places, axes, lambda values: values == 0)


def assert_not_zero(got: Any, places: Any, axes: str) -> None:
    """Fails where one of the numbers at these places is 0; arguments as for `assert_zero`."""
    _assert_there("is_zero", got, places, axes, lambda values: values != 0)


def assert_above_zero(got: Any, places: Any, axes: str) -> None:
    """Fails unless every number at these places is above 0; arguments as for `assert_zero`."""
    _assert_there("not_above_zero", got, places, axes, lambda values: values > 0)


def _assert_there(key: str, got: Any, places: Any, axes: str, holds: Callable[[Array], Array]) -> None:
    values, asked = (as_array(each) if is_tensor(type(each)) else np.asarray(each) for each in (got, places))
    asked = np.broadcast_to(asked, values.shape)
    wrong = asked & ~holds(values)
    if wrong.any():
        first = _first(wrong)
        fields = {"where": _place(tuple(axes.split()), first), "got": _number(values[first])}
        fail(key, wrong=int(wrong.sum()), total=int(asked.sum()), **fields)


def assert_close(got: object, want: object, axes: str = "", dtype: object = None) -> None:
    """Fails unless `got` equals `want` in type, shape, kind of dtype and every value.

    Args:
        got: what the submission returned.
        want: the expected array or tensor, the one or the other being asked for; or the expected number (then any
            number, or anything of one number without axes, will do).
        axes: a name for each axis of `want`, "L d_model".
        dtype: dtype of the input, of numpy or torch, which sets the tolerance; left out, that of `want`.

    A result of whole numbers may be float and the other way round; only where True and False are expected, nothing
    else will do. An infinity is met by the same infinity, a NaN by nothing. Gradients are not asked about.

    Raises:
        CheckFailure: the first of these that does not hold.
        ValueError: the suite is at fault: `axes` does not fit `want`, or `want` holds NaN.
    """
    tensor = is_tensor(type(want))
    expected = as_array(want) if tensor else np.asarray(want)
    names = tuple(axes.split())
    if len(names) != expected.ndim:
        raise ValueError(f"axes={axes!r} names {len(names)} axes, the expected value has {expected.ndim}")
    result = _shaped(got, names, expected.shape, tensor=tensor)
    _assert_kind(result, expected)
    if expected.dtype.kind == "b":
        _assert_equal(result.values, expected, names)
    else:
        own = dtype_name(want) if tensor else expected.dtype.name
        tolerance = _tolerance(own if dtype is None else _name_of(dtype))
        if _is_the_same(result.values, expected):
            return
        _assert_precise(result, expected, own, tolerance)
        _assert_values(result.values, expected, names, tolerance)


def _is_the_same(got: Array, want: Array) -> bool:
    """Whether two arrays of one shape hold the same finite numbers to the last bit, as most right answers do."""
    return got.dtype == want.dtype and got.tobytes() == want.tobytes() and bool(np.isfinite(want).all())


def _name_of(dtype: Any) -> str:
    """The name of a dtype of torch, or of anything that numpy takes for one."""
    name = str(dtype)
    return name.removeprefix("torch.") if name.startswith("torch.") else np.dtype(dtype).name


def _assert_kind(got: _Result, want: Array) -> None:
    kind = want.dtype.kind
    allowed = {"b": "b", "c": f"{_REAL}c"}.get(kind, _REAL)
    if got.values.dtype.kind not in allowed:
        fail("dtype_bool" if kind == "b" else "dtype_number", got=got.dtype)


def _assert_equal(got: Array, want: Array, names: tuple[str, ...]) -> None:
    wrong = got != want
    if wrong.any():
        first = _first(wrong)
        fields = {"expected": str(want[first]), "got": str(got[first])}
        if not names:
            fail("wrong_bool", **fields)
        fail("wrong_bools", wrong=int(wrong.sum()), total=wrong.size, where=_place(names, first), **fields)


def _assert_precise(got: _Result, want: Array, dtype: str, tolerance: float) -> None:
    """Fails where all values are right for a dtype of fewer digits, while the task asks for more."""
    coarse = TOLERANCE.get(dtype_name(got), 0.0)
    if coarse <= tolerance or want.dtype.kind not in _REAL or not np.isfinite([want, got.values]).all():
        return
    far = np.abs(got.values - want) / (1 + np.abs(want))
    if tolerance < far.max(initial=0.0) <= coarse:
        fail("less_precise", got=got.dtype, expected=dtype)


def _assert_values(got: Array, want: Array, names: tuple[str, ...], tolerance: float) -> None:
    if np.isnan(want).any():
        raise ValueError("the expected value holds NaN, which nothing can equal")
    _assert_finite(got, want, names)
    common = np.result_type(want, np.float64)
    with np.errstate(all="ignore"):
        allowed = tolerance + tolerance * np.abs(want)
        close = np.abs(got.astype(common, copy=False) - want.astype(common, copy=False)) <= allowed
    # inf - inf is NaN and inf * tolerance is inf: an infinity is compared by itself
    wrong = ~np.where(np.isfinite(want), close, got == want)
    if not wrong.any():
        return
    first = _first(wrong)
    expected, found = _told_apart(want[first], got[first])
    fields = {"expected": expected, "got": found, "tolerance": _short(float(allowed[first]))}
    if not names:
        fail("wrong_number", **fields)
    fail("wrong_values", wrong=int(wrong.sum()), total=wrong.size, where=_place(names, first), **fields)


def _assert_finite(got: Array, want: Array, names: tuple[str, ...]) -> None:
    if np.isfinite(got).all():  # nearly always
        return
    unexpected = np.isinf(got) & np.isfinite(want)
    for key, key_of_number, bad in (("nan", "nan_number", np.isnan(got)), ("infinite", "infinite_number", unexpected)):
        if not bad.any():
            continue
        first = _first(bad)
        expected = _number(want[first])
        if not names:
            fail(key_of_number, expected=expected)
        fail(key, count=int(bad.sum()), total=bad.size, where=_place(names, first), expected=expected)


def _tolerance(dtype: str) -> float:
    if re.match(r"u?int|bool", dtype):
        return TOLERANCE["float64"]
    part = {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)
    if part not in TOLERANCE:
        raise ValueError(f"no tolerance is set for dtype {dtype}: {', '.join(TOLERANCE)} have one")
    return TOLERANCE[part]


def _first(wrong: Array) -> tuple[int, ...]:
    """Index of the first True in C order, () in an array without axes."""
    return tuple(int(i) for i in np.unravel_index(int(wrong.argmax()), wrong.shape))


def _place(names: tuple[str, ...], index: tuple[int, ...]) -> str:
    """An index as it is written in Python, and what its axes are: "[0,6] (L, d_model)"; sizes stand in ( ) alone."""
    return f"[{','.join(map(str, index))}] ({', '.join(names)})"


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
