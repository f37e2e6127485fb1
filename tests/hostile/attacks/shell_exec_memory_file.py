"""Becomes a program that lies in no folder: a script in a file that exists in memory only."""
# verdict: wrong
# points: none
# needs: seccomp
import os


def concat_heads(heads):
    try:
        script = os.memfd_create("script", 0)
        os.write(script, b"#!/bin/sh\necho breach: a program from memory ran\n")
        os.execve(script, ["script"], {})
    except OSError:
        return
