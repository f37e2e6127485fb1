"""Reads the payloads of the wire; nothing that is not there is allocated, whatever lengths they claim."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from typing import Any

import numpy as np

from grader.sandbox import tensors
from grader.sandbox.values import (
    C128,
    DTYPES,
    F64,
    MAX_AXES,
    MAX_DEPTH,
    MAX_ENTRIES,
    MAX_INT_BYTES,
    MAX_ITEMS,
    MAX_LABEL,
    U8,
    U32,
    U64,
    Build,
    ExceptionReport,
    Handle,
    Opaque,
    WireError,
    is_key,
)


class _Reader:
    def __init__(self, payload: bytes) -> None:
        self.payload = payload
        self.at = 0
        self.items = 0

    def take(self, count: int) -> bytes:
        start = self.at
        self.at = end = start + count
        if end > len(self.payload):
            raise WireError("ends in the middle of a value")
        return self.payload[start:end]

    def number(self, form: struct.Struct) -> int:
        (number,) = form.unpack_from(self.payload, self.at)
        self.at += form.size
        return number  # type: ignore[no-any-return]

    def value(self, depth: int = 0) -> Any:
        self.items += 1
        if self.items > MAX_ITEMS:
            raise WireError(f"more than {MAX_ITEMS} values")
        if depth > MAX_DEPTH:
            raise WireError(f"nested more than {MAX_DEPTH} deep")
        tag = self.payload[self.at : self.at + 1]
        self.at += 1
        read = _READERS.get(tag)
        if read is None:
            raise WireError(f"unknown tag {tag!r}")
        return read(self, depth)

    def integer(self, _depth: int) -> int:
        length = self.number(U32)
        if length > MAX_INT_BYTES:
            raise WireError(f"a whole number of {length} bytes")
        return int.from_bytes(self.take(length), "little", signed=True)

    def real(self, _depth: int) -> float:
        return float(F64.unpack(self.take(8))[0])

    def complex(self, _depth: int) -> complex:
        return complex(*C128.unpack(self.take(16)))

    def text(self, _depth: int) -> str:
        return self.take(self.number(U32)).decode("utf-8", "surrogatepass")

    def binary(self, _depth: int) -> bytes:
        return self.take(self.number(U32))

    def layout(self) -> tuple[str, tuple[int, ...]]:
        name = self.take(self.number(U8)).decode("ascii")
        axes = self.number(U8)
        if axes > MAX_AXES:
            raise WireError(f"{axes} axes")
        return name, struct.unpack(f"<{axes}Q", self.take(axes * U64.size))

    def array(self, _depth: int) -> np.ndarray[Any, Any]:
        name, shape = self.layout()
        if name not in DTYPES:
            raise WireError(f"dtype {name!r} does not cross")
        dtype = np.dtype(name)
        # the shape is held against the bytes that are there before anything is allocated for it
        body = self.take(math.prod(shape) * dtype.itemsize)
        if dtype.kind == "b" and body.strip(b"\x00\x01"):
            raise WireError("a bool that is neither 0 nor 1")
        return np.frombuffer(body, dtype).reshape(shape).copy() if body else np.empty(shape, dtype)

    def tensor(self, _depth: int) -> Any:
        requires_grad, order = self.number(U8), tuple(self.take(self.number(U8)))
        name, shape = self.layout()
        if name not in tensors.ITEM_BYTES:
            raise WireError(f"tensor dtype {name!r} does not cross")
        if order not in ((), tensors.GAPS) and sorted(order) != list(range(len(shape))):
            raise WireError("an order that is none of these axes")
        body = self.take(math.prod(shape) * tensors.ITEM_BYTES[name])
        if name == "bool" and body.strip(b"\x00\x01"):
            raise WireError("a bool that is neither 0 nor 1")
        return tensors.put_together(tensors.Parts(name, shape, order, bool(requires_grad), body))

    def scalar(self, depth: int) -> np.generic:
        value = self.array(depth)
        if value.ndim:
            raise WireError("a scalar with axes")
        scalar: np.generic = value.dtype.type(value)
        return scalar

    def sequence(self, depth: int) -> list[Any]:
        count = self.number(U32)
        if count > len(self.payload) - self.at:  # every value takes a byte at least
            raise WireError("more values than bytes")
        return [self.value(depth + 1) for _ in range(count)]

    def tuple(self, depth: int) -> tuple[Any, ...]:
        return tuple(self.sequence(depth))

    def mapping(self, depth: int) -> dict[Any, Any]:
        count = self.number(U32)
        if count > MAX_ENTRIES:
            raise WireError(f"a dict of {count} entries")
        found = {}
        for _ in range(count):
            key = self.value(depth + 1)
            if type(key) is not str and not is_key(key):
                raise WireError("a key that could be made to collide")
            found[key] = self.value(depth + 1)
        return found

    def opaque(self, depth: int) -> Opaque:
        return Opaque(self.text(depth)[:MAX_LABEL], self.text(depth)[:MAX_LABEL])

    def handle(self, depth: int) -> Handle:
        return Handle(self.number(U64), self.text(depth)[:MAX_LABEL])

    def exception(self, depth: int) -> ExceptionReport:
        return ExceptionReport.of(self.value(depth + 1))


_READERS: dict[bytes, Callable[[_Reader, int], Any]] = {
    b"N": lambda _reader, _depth: None,
    b"T": lambda _reader, _depth: True,
    b"F": lambda _reader, _depth: False,
    b"I": _Reader.integer,
    b"D": _Reader.real,
    b"C": _Reader.complex,
    b"S": _Reader.text,
    b"B": _Reader.binary,
    b"A": _Reader.array,
    b"G": _Reader.scalar,
    b"R": _Reader.tensor,
    b"M": lambda reader, depth: Build.of(reader.value(depth + 1)),
    b"Y": lambda reader, depth: Opaque("numpy.dtype", reader.text(depth)[:MAX_LABEL]),
    b"[": _Reader.sequence,
    b"(": _Reader.tuple,
    b"{": _Reader.mapping,
    b"O": _Reader.opaque,
    b"H": _Reader.handle,
    b"X": _Reader.exception,
}


def decode(payload: bytes) -> Any:
    """The value in a payload; raises WireError for anything that `encode` would not have written."""
    reader = _Reader(payload)
    try:
        value = reader.value()
    except WireError:
        raise
    except (struct.error, ValueError, TypeError, OverflowError, RuntimeError, MemoryError) as error:
        # an end in the middle of a number, bad UTF-8, an unhashable key, a shape numpy or torch refuses
        raise WireError(str(error)) from error
    if reader.at != len(payload):
        raise WireError("bytes after the value")
    return value
