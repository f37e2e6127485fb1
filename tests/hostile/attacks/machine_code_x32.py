"""Calls the kernel by its x32 numbers, which a filter that compares plain numbers does not know (x86-64)."""
# verdict: wrong
# points: none
# needs: seccomp
import ctypes
import platform

libc = ctypes.CDLL(None, use_errno=True)


def concat_heads(heads):
    if platform.machine() == "x86_64" and libc.syscall(0x40000000 + 102) >= 0:  # getuid
        print("breach: an x32 system call was answered")
