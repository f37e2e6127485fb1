"""Runs a shell on a terminal of its own, which would take it out of the worker's session."""
# verdict: wrong
# points: none
# needs: seccomp
import os
import pty
import signal


def concat_heads(heads):
    try:
        pid, terminal = pty.fork()
    except OSError:
        return
    if pid == 0:
        signal.alarm(5)
        os._exit(0)
    print("breach: a process on a terminal of its own")
    os.close(terminal)
    os.waitpid(pid, 0)
