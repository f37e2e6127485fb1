"""Asks for a new process by every system call there is for it: fork, vfork, clone and clone3."""
# verdict: wrong
# points: none
# needs: seccomp
import ctypes
import os
import platform
import signal

libc = ctypes.CDLL(None, use_errno=True)
SIGCHLD = 17
CALLS = {"x86_64": ((57,), (56, SIGCHLD, 0, 0, 0, 0)), "aarch64": ((220, SIGCHLD, 0, 0, 0, 0),)}


def concat_heads(heads):
    arguments = (ctypes.c_uint64 * 8)(0, 0, 0, 0, SIGCHLD, 0, 0, 0)
    for call in (*CALLS.get(platform.machine(), ()), (435, ctypes.byref(arguments), 64)):
        pid = libc.syscall(*call)
        if pid == 0:
            signal.alarm(2)
            os._exit(0)
        if pid > 0:
            os.waitpid(pid, 0)
            print("breach: a process was made by system call", call[0])
