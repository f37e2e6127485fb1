"""Attaches to the process that started it and to the grader as a debugger."""
# verdict: wrong
# points: none
# needs: seccomp
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
SEIZE = 0x4206  # unlike ATTACH it does not stop its target


def concat_heads(heads):
    for pid in {os.getppid(), int("@@GRADER_PID@@"), 1} - {0, os.getpid()}:
        if libc.ptrace(SEIZE, pid, None, None) == 0:
            print("breach: attached as a debugger to", pid)
