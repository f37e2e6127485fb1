"""The only language spoken across the sandbox: length-prefixed frames that hold a small closed set of plain values.

    frame   = magic (4 bytes)  number (8 bytes, little-endian)  kind (1 byte)  payload length (8 bytes)  payload
    payload = one value
    value   = tag (1 byte)  body

No pickle, no eval. Every length, depth and count is checked before memory is taken for it, on both sides, and `decode`
raises nothing but `WireError`, whatever bytes it is given. What has no tag (encoding.py) does not cross: `encode` sends
an `Opaque` label in its place. The worker imports this module too, so it imports nothing of ours but the two directions
and what they need.
"""

from __future__ import annotations

import struct
import sys

from grader.sandbox.decoding import decode
from grader.sandbox.encoding import encode
from grader.sandbox.values import (
    DTYPES,
    MAX_PAYLOAD,
    ArrayShape,
    Build,
    ExceptionReport,
    Handle,
    Opaque,
    WireError,
    type_label,
)

__all__ = [
    "DTYPES",
    "MAX_PAYLOAD",
    "ArrayShape",
    "Build",
    "ExceptionReport",
    "Handle",
    "Opaque",
    "WireError",
    "decode",
    "encode",
    "frame",
    "read_header",
    "type_label",
]

MAGIC = b"MHW3"
HEADER = struct.Struct("<4sQBQ")

# Kinds of request, by what has to have come before it since the last one of kind ALWAYS; else it is skipped.
ALWAYS, AFTER_LITTLE, AFTER_VALUES = range(3)  # nothing, short replies, short replies that are all values
LITTLE = 2**20  # bytes of replies
SKIPPED = encode({"skipped": True})  # what is replied to it then


def frame(number: int, payload: bytes, kind: int = ALWAYS) -> bytes:
    """The payload with its header; a reply has the number of its request."""
    return HEADER.pack(MAGIC, number, kind, len(payload)) + payload


def read_header(header: bytes) -> tuple[int, int, int]:
    """Number, kind and length of the payload that follows this header; raises WireError for a header that is none."""
    if len(header) != HEADER.size:
        raise WireError("half a header")
    magic, number, kind, length = HEADER.unpack(header)
    if magic != MAGIC:
        raise WireError("no frame of ours")
    if length > MAX_PAYLOAD:
        raise WireError(f"a frame of {length} bytes, more than {MAX_PAYLOAD}")
    return number, kind, length


assert sys.byteorder == "little", "the wire is written for little-endian machines"  # noqa: S101
