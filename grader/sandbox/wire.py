"""The only language spoken across the sandbox: length-prefixed frames that hold a small closed set of plain values.

    frame   = magic (4 bytes)  number (8 bytes, little-endian)  payload length (8 bytes)  payload
    payload = one value
    value   = tag (1 byte)  body

No pickle, no eval. Every length, depth and count is checked before memory is taken for it, on both sides, and `decode`
raises nothing but `WireError`, whatever bytes it is given. What has no tag here does not cross: `encode` sends an
`Opaque` label in its place. The worker imports this module too, so it imports nothing of ours but values.py.
"""

from __future__ import annotations

import math
import struct
import sys
from collections import OrderedDict, defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np

from grader.sandbox import tensors
from grader.sandbox.values import (
    MAX_AXES,
    MAX_DEPTH,
    MAX_ENTRIES,
    MAX_INT_BYTES,
    MAX_ITEMS,
    MAX_LABEL,
    MAX_PAYLOAD,
    ArrayShape,
    Build,
    ExceptionReport,
    Handle,
    Opaque,
    WireError,
    detail_of,
    is_key,
    type_label,
)

__all__ = [
    "ArrayShape",
    "Build",
    "ExceptionReport",
    "Handle",
    "Opaque",
    "WireError",
    "decode",
    "encode",
    "frame",
    "opened",
    "type_label",
]

MAGIC = b"MHW2"
HEADER = struct.Struct("<4sQQ")

DTYPES = frozenset(["|b1", "|i1", "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8", "<f2", "<f4", "<f8", "<c8", "<c16"])

# A submission may rebind names inside numpy; these are the ones that were there before it was loaded.
_ndarray = np.ndarray
_generic = np.generic
_dtype = np.dtype

_U8, _U32, _U64, _F64, _C128 = (struct.Struct(f) for f in ("<B", "<I", "<Q", "<d", "<dd"))


# --- encoding ----------------------------------------------------------------------------------------------------


def _text(value: str) -> bytes:
    body = value.encode("utf-8", "surrogatepass")
    return b"S" + _U32.pack(len(body)) + body


_OFTEN_SAID = {word: _text(word) for word in ("do", "on", "name", "args", "kwargs", "call", "value", "changed")}


class _Writer:
    def __init__(self, keep: Callable[[object], Handle] | None) -> None:
        self.parts: list[bytes] = []
        self.size = 0
        self.items = 0
        self.keep = keep

    def put(self, part: bytes) -> None:
        self.size += len(part)
        if self.size > MAX_PAYLOAD:
            raise WireError(f"larger than {MAX_PAYLOAD // 2**20} MiB")
        self.parts.append(part)

    def sized(self, tag: bytes, body: bytes) -> None:
        self.put(tag + _U32.pack(len(body)) + body)

    def value(self, value: object, depth: int = 0) -> None:  # noqa: C901, PLR0912 - one branch for each tag
        self.items += 1
        if self.items > MAX_ITEMS:
            raise WireError(f"more than {MAX_ITEMS} values")
        if depth > MAX_DEPTH:
            raise WireError(f"nested more than {MAX_DEPTH} deep")
        kind = type(value)
        # what every request and reply is made of comes first
        if kind is str:
            self.put(_OFTEN_SAID.get(value) or _text(value))  # type: ignore[arg-type, call-overload]
        elif kind is int:
            self.integer(value)  # type: ignore[arg-type]
        elif kind is _ndarray:
            self.array(value)  # type: ignore[arg-type]
        elif kind is tuple or kind is list:
            self.sequence(value, depth)  # type: ignore[arg-type]
        elif kind is dict or kind is OrderedDict or kind is defaultdict:
            self.mapping(value, depth)  # type: ignore[arg-type]
        elif value is None:
            self.put(b"N")
        elif kind is bool:
            self.put(b"T" if value else b"F")
        elif kind is float:
            self.put(b"D" + _F64.pack(value))
        elif kind is complex:
            self.put(b"C" + _C128.pack(value.real, value.imag))  # type: ignore[attr-defined]
        elif kind is bytes:
            self.sized(b"B", value)  # type: ignore[arg-type]
        elif issubclass(kind, _generic):
            self.scalar(value)  # type: ignore[arg-type]
        elif issubclass(kind, _dtype):
            self.sized(b"Y", str(value)[:MAX_LABEL].encode())
        elif tensors.is_tensor(kind):
            self.tensor(value)
        elif issubclass(kind, tuple) and (hasattr(kind, "_fields") or tensors.is_size(kind)):
            # a namedtuple crosses as the tuple it is, read past any method it overrides
            self.sequence(value, depth)  # type: ignore[arg-type]
        elif kind is Opaque:
            self.label(value)  # type: ignore[arg-type]
        elif kind is Handle:
            self.put(b"H" + _U64.pack(value.id))  # type: ignore[attr-defined]
            self.sized(b"", value.type_name.encode())  # type: ignore[attr-defined]
        elif kind is ExceptionReport:
            self.put(b"X")
            self.value(value.fields, depth + 1)  # type: ignore[attr-defined]
        elif kind is Build:
            self.put(b"M")
            self.value(value.fields, depth + 1)  # type: ignore[attr-defined]
        elif self.keep is not None and depth == 1:
            self.value(self.keep(value), depth)
        else:
            self.label(Opaque(type_label(value), detail_of(value)))

    def label(self, value: Opaque) -> None:
        self.sized(b"O", value.type_name.encode())
        self.sized(b"", value.detail.encode())

    def integer(self, value: int) -> None:
        length = value.bit_length() // 8 + 1
        if length > MAX_INT_BYTES:
            raise WireError(f"a whole number of more than {MAX_INT_BYTES} bytes")
        self.sized(b"I", value.to_bytes(length, "little", signed=True))

    def array(self, value: np.ndarray[Any, Any]) -> None:
        dtype = value.dtype if value.dtype.str in DTYPES else value.dtype.newbyteorder("<")
        if dtype.str not in DTYPES:
            self.label(Opaque("numpy.ndarray", f"dtype {value.dtype}"[:MAX_LABEL]))
            return
        # `nbytes` of a broadcast array is what a copy would take, not what it holds
        if value.nbytes > MAX_PAYLOAD or value.ndim > MAX_AXES:
            raise WireError(f"an array of shape {value.shape} and dtype {value.dtype}, {value.nbytes} bytes")
        self.layout(b"A", dtype.str, value.shape)
        self.put(value.astype(dtype, copy=False).tobytes())

    def tensor(self, value: object) -> None:
        parts = tensors.taken_apart(value)
        if isinstance(parts, Opaque):
            self.label(parts)
            return
        self.layout(b"R" + bytes((parts.requires_grad, len(parts.order), *parts.order)), parts.dtype, parts.shape)
        self.put(parts.body)

    def scalar(self, value: np.generic) -> None:
        dtype = value.dtype.newbyteorder("<")
        if dtype.str not in DTYPES or type(value) is not value.dtype.type:
            self.label(Opaque(type_label(value)))
            return
        self.layout(b"G", dtype.str, ())
        self.put(np.asarray(value).astype(dtype, copy=False).tobytes())

    def layout(self, head: bytes, dtype: str, shape: tuple[int, ...]) -> None:
        name, axes = dtype.encode(), len(shape)
        self.put(head + struct.pack(f"<B{len(name)}sB{axes}Q", len(name), name, axes, *shape))

    def sequence(self, value: list[object] | tuple[object, ...], depth: int) -> None:
        base: Any = list if type(value) is list else tuple
        if self.items + base.__len__(value) > MAX_ITEMS:
            raise WireError(f"more than {MAX_ITEMS} values")
        self.put((b"[" if base is list else b"(") + _U32.pack(min(base.__len__(value), 2**32 - 1)))
        for item in base.__iter__(value):
            self.value(item, depth + 1)

    def mapping(self, value: dict[object, object], depth: int) -> None:
        if dict.__len__(value) > MAX_ENTRIES:
            raise WireError(f"a dict of more than {MAX_ENTRIES} entries")
        self.put(b"{" + _U32.pack(dict.__len__(value)))
        for key, item in dict.items(value):
            if type(key) is not str and not is_key(key):
                raise WireError(f"a dict with a key of type {type_label(key)}")
            self.value(key, depth + 1)
            self.value(item, depth + 1)


def encode(value: object, *, keep: Callable[[object], Handle] | None = None) -> bytes:
    """The payload for one value.

    Args:
        keep: called for a value directly under a top-level dict that has no tag of its own; the handle it returns is
            sent instead of a label.

    Raises:
        WireError: the value is too large, too deep, has too many parts, or changed while it was read.
    """
    writer = _Writer(keep)
    try:
        writer.value(value)
    except (RecursionError, RuntimeError, BufferError, struct.error) as error:
        raise WireError(f"not sent: {error}") from error
    return b"".join(writer.parts)


def frame(number: int, payload: bytes) -> bytes:
    """The payload with its header; a reply has the number of its request."""
    return HEADER.pack(MAGIC, number, len(payload)) + payload


def opened(header: bytes) -> tuple[int, int]:
    """Number and length of the payload that follows this header; raises WireError for a header that is none."""
    if len(header) != HEADER.size:
        raise WireError("half a header")
    magic, number, length = HEADER.unpack(header)
    if magic != MAGIC:
        raise WireError("no frame of ours")
    if length > MAX_PAYLOAD:
        raise WireError(f"a frame of {length} bytes, more than {MAX_PAYLOAD}")
    return number, length


# --- decoding ----------------------------------------------------------------------------------------------------


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
        return int(form.unpack(self.take(form.size))[0])

    def value(self, depth: int = 0) -> Any:
        self.items += 1
        if self.items > MAX_ITEMS:
            raise WireError(f"more than {MAX_ITEMS} values")
        if depth > MAX_DEPTH:
            raise WireError(f"nested more than {MAX_DEPTH} deep")
        tag = self.take(1)
        read = _READERS.get(tag)
        if read is None:
            raise WireError(f"unknown tag {tag!r}")
        return read(self, depth)

    def integer(self, _depth: int) -> int:
        length = self.number(_U32)
        if length > MAX_INT_BYTES:
            raise WireError(f"a whole number of {length} bytes")
        return int.from_bytes(self.take(length), "little", signed=True)

    def real(self, _depth: int) -> float:
        return float(_F64.unpack(self.take(8))[0])

    def complex(self, _depth: int) -> complex:
        return complex(*_C128.unpack(self.take(16)))

    def text(self, _depth: int) -> str:
        return self.take(self.number(_U32)).decode("utf-8", "surrogatepass")

    def binary(self, _depth: int) -> bytes:
        return self.take(self.number(_U32))

    def layout(self) -> tuple[str, tuple[int, ...]]:
        name = self.take(self.number(_U8)).decode("ascii")
        axes = self.number(_U8)
        if axes > MAX_AXES:
            raise WireError(f"{axes} axes")
        return name, struct.unpack(f"<{axes}Q", self.take(axes * _U64.size))

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
        requires_grad, order = self.number(_U8), tuple(self.take(self.number(_U8)))
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
        count = self.number(_U32)
        if count > len(self.payload) - self.at:  # every value takes a byte at least
            raise WireError("more values than bytes")
        return [self.value(depth + 1) for _ in range(count)]

    def tuple(self, depth: int) -> tuple[Any, ...]:
        return tuple(self.sequence(depth))

    def mapping(self, depth: int) -> dict[Any, Any]:
        count = self.number(_U32)
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
        return Handle(self.number(_U64), self.text(depth)[:MAX_LABEL])

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
    except (ValueError, TypeError, OverflowError, RuntimeError, MemoryError) as error:
        # bad UTF-8, an unhashable key, a shape numpy or torch refuses
        raise WireError(str(error)) from error
    if reader.at != len(payload):
        raise WireError("bytes after the value")
    return value


assert sys.byteorder == "little", "the wire is written for little-endian machines"  # noqa: S101
