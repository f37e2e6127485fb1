"""Sends an exception that was never raised, with ten million characters in every text."""
# verdict: crashed | wrong | invalid
# points: none
import sys


def codec():
    frame = sys._getframe()
    while frame is not None:
        if "wire" in frame.f_globals:
            return frame.f_globals["wire"]
        frame = frame.f_back
    print("rotten: the codec was not found")


def concat_heads(heads):
    wire = codec()
    long = "matrix \x1b" * 1_250_000
    arrays = tuple(wire.ArrayShape(long[:1000], "<f8", (1,) * 10) for _ in range(100))
    lie = wire.ExceptionReport(("ValueError", long), long, long, 1, "", long, long, arrays)
    genuine = wire.encode

    def encode(value, **options):
        if type(value) is dict:
            return genuine({"raised": lie})
        return b""

    wire.encode = encode
