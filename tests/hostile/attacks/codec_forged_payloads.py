"""Sends payloads that no encoder writes: overflowing shapes, bad tags, endless depth, unhashable keys, bad UTF-8."""
# verdict: crashed
# points: none
import struct
import sys


def codec():
    frame = sys._getframe()
    while frame is not None:
        if "wire" in frame.f_globals:
            return frame.f_globals["wire"]
        frame = frame.f_back
    print("rotten: the codec was not found")


def array(dtype, shape, body=b""):
    return b"A" + bytes([len(dtype)]) + dtype + bytes([len(shape)]) + struct.pack(f"<{len(shape)}Q", *shape) + body


PAYLOADS = [
    array(b"<f8", (2**63, 2)),
    array(b"<f8", (0, 2**62, 2**62)),
    array(b"<f8", (2**64 - 1,), bytes(64)),
    array(b"|O8", (1,), bytes(8)),
    array(b"<f8,<f8", (1,), bytes(16)),
    array(b"<f8", (1,) * 65, bytes(8)),
    array(b"|b1", (4,), b"\x07\x07\x07\x07"),
    b"[" + struct.pack("<I", 2**32 - 1),
    (b"[" + struct.pack("<I", 1)) * 200_000 + b"N",
    b"{" + struct.pack("<I", 1) + b"[" + struct.pack("<I", 0) + b"N",
    b"S" + struct.pack("<I", 4) + b"\xff\xfe\xfd\xfc",
    b"S" + struct.pack("<I", 2**32 - 1) + b"short",
    b"I" + struct.pack("<I", 2**31),
    b"H" + struct.pack("<Q", 2**64 - 1) + struct.pack("<I", 13) + b"numpy.ndarray",
    b"O" + struct.pack("<I", 0) + struct.pack("<I", 2**20) + b"x" * 2**20,
    b"X" + b"(" + struct.pack("<I", 8) + b"N" * 8,
    b"Y" + struct.pack("<I", 30) + b"os.system('echo breach: eval')",
    b"cposix\nsystem\n(S'echo breach: unpickled'\ntR.",
    b"N" * 100_000,
    b"",
]


wire = codec()
genuine = wire.encode
chosen = []
replies = []


def encode(value, **options):
    if type(value) is not dict or "changed" not in value:
        return genuine(value, **options)
    replies.append(len(replies))
    fields = (genuine("changed"), genuine(()), genuine("value"), chosen[-1])
    return b"{" + struct.pack("<I", 2) + b"".join(fields)


wire.encode = encode


def concat_heads(heads):
    if len(chosen) > len(replies):
        print("rotten: a reply went out by another way")
    chosen.append(PAYLOADS[int(heads.size + abs(heads).sum()) % len(PAYLOADS)])
