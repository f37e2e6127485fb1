"""Hides memory in files that exist in memory only."""
# verdict: wrong
# points: none
import os


def concat_heads(heads):
    held = os.memfd_create("manyheads-hostile")
    for _ in range(256):  # 256 MiB at most
        os.write(held, b"x" * 2**20)
    print("breach: 256 MiB in a memory file")
