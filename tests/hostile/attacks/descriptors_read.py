"""Reads from every descriptor it was born with, and opens folders relative to them."""
# verdict: wrong | crashed | time_limit | invalid
# points: none
import os
import stat

for descriptor in range(1024):
    try:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISREG(mode):
            print(os.pread(descriptor, 2**20, 0))
        if stat.S_ISDIR(mode):
            print(os.listdir(descriptor))
            print("breach: a folder is open at", descriptor)
        if stat.S_ISCHR(mode):
            os.set_blocking(descriptor, False)
            print(os.read(descriptor, 100))
    except (OSError, ValueError):
        continue


def concat_heads(heads):
    return None
