"""Writes plain values as the payloads of the wire; by exact type, so that no method of a foreign type is asked."""

from __future__ import annotations

import struct
from collections import OrderedDict, defaultdict
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
    MAX_PAYLOAD,
    U32,
    U64,
    Build,
    ExceptionReport,
    Handle,
    Opaque,
    WireError,
    detail_of,
    is_key,
    type_label,
)

# A submission may rebind names inside numpy; these are the ones that were there before it was loaded.
_ndarray = np.ndarray
_generic = np.generic
_dtype = np.dtype


def _text(value: str) -> bytes:
    body = value.encode("utf-8", "surrogatepass")
    return b"S" + U32.pack(len(body)) + body


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

    def text(self, value: str, _depth: int = 0) -> None:
        self.put(_OFTEN_SAID.get(value) or _text(value))

    def handle(self, value: Handle, _depth: int = 0) -> None:
        self.put(b"H" + U64.pack(value.id))
        self.sized(b"", value.type_name.encode())

    def fields(self, tag: bytes, value: ExceptionReport | Build, depth: int) -> None:
        self.put(tag)
        self.value(value.fields, depth + 1)

    def sized(self, tag: bytes, body: bytes) -> None:
        self.put(tag + U32.pack(len(body)) + body)

    def value(self, value: object, depth: int = 0) -> None:
        self.items += 1
        if self.items > MAX_ITEMS:
            raise WireError(f"more than {MAX_ITEMS} values")
        if depth > MAX_DEPTH:
            raise WireError(f"nested more than {MAX_DEPTH} deep")
        write = _WRITERS.get(type(value))
        if write is not None:
            write(self, value, depth)
        else:
            self.of_another_type(value, depth)

    def of_another_type(self, value: Any, depth: int) -> None:
        kind = type(value)
        if issubclass(kind, _generic):
            self.scalar(value)
        elif issubclass(kind, _dtype):
            self.sized(b"Y", str(value)[:MAX_LABEL].encode())
        elif tensors.is_tensor(kind):
            self.tensor(value)
        elif issubclass(kind, tuple) and (hasattr(kind, "_fields") or tensors.is_size(kind)):
            self.sequence(value, depth)  # a namedtuple crosses as the tuple it is, read past any method it overrides
        elif self.keep is not None and depth == 1:
            self.value(self.keep(value), depth)
        else:
            self.label(Opaque(type_label(value), detail_of(value)))

    def label(self, value: Opaque, _depth: int = 0) -> None:
        self.sized(b"O", value.type_name.encode())
        self.sized(b"", value.detail.encode())

    def integer(self, value: int, _depth: int = 0) -> None:
        length = value.bit_length() // 8 + 1
        if length > MAX_INT_BYTES:
            raise WireError(f"a whole number of more than {MAX_INT_BYTES} bytes")
        self.sized(b"I", value.to_bytes(length, "little", signed=True))

    def array(self, value: np.ndarray[Any, Any], _depth: int = 0) -> None:
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
        self.put((b"[" if base is list else b"(") + U32.pack(min(base.__len__(value), 2**32 - 1)))
        for item in base.__iter__(value):
            self.value(item, depth + 1)

    def mapping(self, value: dict[object, object], depth: int) -> None:
        if dict.__len__(value) > MAX_ENTRIES:
            raise WireError(f"a dict of more than {MAX_ENTRIES} entries")
        self.put(b"{" + U32.pack(dict.__len__(value)))
        for key, item in dict.items(value):
            if type(key) is str:
                self.text(key)
            elif is_key(key):
                self.value(key, depth + 1)
            else:
                raise WireError(f"a dict with a key of type {type_label(key)}")
            self.value(item, depth + 1)


# by exact type: a derived one may answer as it likes
_WRITERS: dict[type, Callable[[_Writer, Any, int], None]] = {
    str: _Writer.text,
    int: _Writer.integer,
    _ndarray: _Writer.array,
    tuple: _Writer.sequence,
    list: _Writer.sequence,
    dict: _Writer.mapping,
    OrderedDict: _Writer.mapping,
    defaultdict: _Writer.mapping,
    type(None): lambda writer, _value, _depth: writer.put(b"N"),
    bool: lambda writer, value, _depth: writer.put(b"T" if value else b"F"),
    float: lambda writer, value, _depth: writer.put(b"D" + F64.pack(value)),
    complex: lambda writer, value, _depth: writer.put(b"C" + C128.pack(value.real, value.imag)),
    bytes: lambda writer, value, _depth: writer.sized(b"B", value),
    Opaque: _Writer.label,
    Handle: _Writer.handle,
    ExceptionReport: lambda writer, value, depth: writer.fields(b"X", value, depth),
    Build: lambda writer, value, depth: writer.fields(b"M", value, depth),
}


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
