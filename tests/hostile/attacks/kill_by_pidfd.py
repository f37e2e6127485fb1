"""Sends signals by a descriptor of a process and by queue, not by kill()."""
# verdict: wrong
# points: none
# needs: seccomp
import ctypes
import os
import signal

libc = ctypes.CDLL(None, use_errno=True)


def concat_heads(heads):
    for pid in (os.getppid(), int("@@GRADER_PID@@")):
        if pid < 1:
            continue
        descriptor = libc.syscall(434, pid, 0)
        if descriptor >= 0 and libc.syscall(424, descriptor, int(signal.SIGUSR1) * 0, None, 0) == 0:
            print("breach: a process was reached by its descriptor")
        if libc.syscall(129, pid, 0, ctypes.create_string_buffer(128)) == 0:
            print("breach: a signal was queued for another process")
