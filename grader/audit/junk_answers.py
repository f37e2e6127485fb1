"""Source that is put behind a reference to spoil its answers; runs in the sandbox and imports nothing of ours.

`spoil(globals(), names, kind)` wraps every function, and every method of every class, so that it gives junk of one kind
in place of its value. Where the right answer is an exception, junk is returned all the same.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

DEPTH = 1_000_000


@functools.cache
def _nested() -> list[Any]:
    """Made once: taking it apart takes as long."""
    value: list[Any] = []
    for _ in range(DEPTH):
        value = [value]
    return value


def _is_tensor(value: object) -> bool:
    return type(value).__module__.partition(".")[0] == "torch" and hasattr(value, "dtype") and hasattr(value, "detach")


def _array(value: Any) -> Any:
    """The value as a plain array; a tensor's, a number's or its own."""
    return np.asarray(value.detach() if _is_tensor(value) else value)


def _like(value: Any, array: Any) -> Any:
    """The array in the form of the value: a tensor for a tensor, a number for a number."""
    if _is_tensor(value):
        import torch  # noqa: PLC0415 - there is a tensor, so it is loaded

        return torch.tensor(array)
    return array if isinstance(value, np.ndarray) else array[()].item()


def _each(change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Change every array, tensor and number in the answer, and leave alone what is none."""

    def changed(value: Any) -> Any:
        if isinstance(value, tuple | list):
            return tuple(changed(item) for item in value)
        if isinstance(value, bool | int | float | np.ndarray | np.generic) or _is_tensor(value):
            return change(value)
        return None

    return changed


def _other_dtype(value: Any) -> Any:
    array = _array(value)
    return _like(value, array.astype(np.float64) if array.dtype.kind == "b" else array.astype(bool))


def _huge(value: Any) -> Any:
    """A view of a single number that claims 10^12 of them."""
    if _is_tensor(value):
        return value.new_zeros(1).expand(10**6, 10**6)
    return np.broadcast_to(np.zeros(1), (10**6, 10**6))


KINDS: dict[str, Callable[[Any], Any]] = {
    "None": lambda _value: None,
    "text": lambda _value: "junk",
    "a list": _each(lambda value: list(value) if np.ndim(_array(value)) else [value]),
    "NaN": _each(lambda value: _like(value, np.full(_array(value).shape, np.nan))),
    "infinity": _each(lambda value: _like(value, np.full(_array(value).shape, np.inf))),
    "complex numbers": _each(lambda value: _like(value, _array(value).astype(complex))),
    "another dtype": _each(_other_dtype),
    "one axis too many": _each(lambda value: value[None] if np.ndim(_array(value)) else np.asarray([value])),
    "nothing in an array": _each(lambda value: _array(value).reshape(-1)[:0] if not _is_tensor(value) else value[:0]),
    "a huge view": _each(_huge),
    "a huge array": lambda _value: np.ones(10**10),
    "10^6 nested lists": lambda _value: _nested(),
    "an array of objects": lambda _value: np.array([object(), None]),
    "an object": lambda _value: object(),
    "a function": lambda _value: _nested,
}


def _spoilt(right: Callable[..., Any], make: Callable[[Any], Any]) -> Callable[..., Any]:
    @functools.wraps(right)
    def junk(*args: Any, **kwargs: Any) -> Any:
        try:
            value = right(*args, **kwargs)
        except Exception:  # noqa: BLE001 - junk raises nothing
            value = None
        return make(value)

    return junk


def _without_refusal(right: Callable[..., Any]) -> Callable[..., None]:
    @functools.wraps(right)
    def init(*args: Any, **kwargs: Any) -> None:
        try:
            right(*args, **kwargs)
        except (ValueError, AssertionError):
            return

    return init


def spoil(namespace: dict[str, Any], names: tuple[str, ...], kind: str) -> None:
    """Spoil what the namespace defines under these names."""
    make = KINDS[kind]
    for name in names:
        found = namespace[name]
        if not inspect.isclass(found):
            namespace[name] = _spoilt(found, make)
            continue
        for each, method in list(vars(found).items()):
            if inspect.isfunction(method) and each == "__init__":
                setattr(found, each, _without_refusal(method))
            elif inspect.isfunction(method) and not each.startswith("_"):
                setattr(found, each, _spoilt(method, make))
