"""Asks for another user and for capabilities, and opens a file that its owner has closed to others."""
# verdict: wrong
# points: none
# needs: landlock
import ctypes
import os
import struct

libc = ctypes.CDLL(None, use_errno=True)
CLOSED = """@@CLOSED@@"""


def concat_heads(heads):
    try:
        with open(CLOSED) as file:
            file.read(1)
        print("breach: read a file that is closed to others")
    except OSError:
        pass
    user = os.getuid()
    for other in (0, user + 1):
        if libc.setresuid(other, other, other) == 0 and os.getuid() != user:
            print("breach: became user", other)
    if libc.capset(struct.pack("<Ii", 0x20080522, 0), struct.pack("<6I", 1, 1, 1, 0, 0, 0)) == 0:
        print("breach: took a capability")
