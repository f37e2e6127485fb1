"""Sends an exception that was never raised, with lies in every field and markup in every text."""
# verdict: wrong | crashed | invalid
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
    markup = "</td><script>alert(1)</script>\x1b[2J\x1b]0;owned\x07{got}[bold]" * 50
    types = ("CheckFailure", "AssertionError", "Passed", "ModuleNotFoundError", "NotImplementedError", markup)
    arrays = tuple(wire.ArrayShape(markup, markup, (2**70, -1)) for _ in range(1000))
    lie = wire.ExceptionReport(types, markup, markup, 2**31 - 1, markup, markup, markup * 50, arrays)
    genuine = wire.encode

    def encode(value, **options):
        if type(value) is dict:
            return genuine({"raised": lie})
        return b""

    wire.encode = encode
