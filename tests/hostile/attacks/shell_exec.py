"""Becomes a shell, keeping the reply socket."""
# verdict: wrong
# points: none
# needs: seccomp
import os


def concat_heads(heads):
    for name in ("/bin/sh", "/usr/bin/env"):
        try:
            os.execv(name, [name, "-c", "echo breach: the worker became a shell"])
        except OSError:
            continue
