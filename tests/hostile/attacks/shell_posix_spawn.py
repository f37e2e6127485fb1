"""Runs a program by posix_spawn, which needs no fork in Python."""
# verdict: wrong
# points: none
# needs: seccomp
import os


def concat_heads(heads):
    try:
        os.waitpid(os.posix_spawn("/bin/true", ["true"], {}), 0)
    except OSError:
        return
    print("breach: a program ran")
