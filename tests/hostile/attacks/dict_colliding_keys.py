"""Sends a dict of whole numbers that all have the same hash, so that whoever rebuilds it takes quadratic time."""
# verdict: crashed | wrong | time_limit
# points: none
import struct
import sys

MODULUS = sys.hash_info.modulus
COUNT = 90_000


def codec():
    frame = sys._getframe()
    while frame is not None:
        if "wire" in frame.f_globals:
            return frame.f_globals["wire"]
        frame = frame.f_back
    print("rotten: the codec was not found")


def colliding():
    body = [b"{", struct.pack("<I", COUNT)]
    for number in range(COUNT):
        body += [b"I", struct.pack("<I", 12), (number * MODULUS).to_bytes(12, "little", signed=True), b"N"]
    return b"".join(body)


wire = codec()
genuine = wire.encode
BODY = colliding()
replies = []


def encode(value, **options):
    if type(value) is not dict or "changed" not in value:
        return genuine(value, **options)
    replies.append(len(replies))
    fields = (genuine("changed"), genuine(()), genuine("value"), BODY)
    return b"{" + struct.pack("<I", 2) + b"".join(fields)


wire.encode = encode
calls = []


def concat_heads(heads):
    calls.append(heads.shape)
    if len(calls) > len(replies) + 1:
        print("rotten: a reply went out by another way")
