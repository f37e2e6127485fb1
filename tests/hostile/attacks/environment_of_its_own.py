"""Shows its environment, its arguments and the names that identify the person who grades."""
# verdict: wrong
# points: none
import os
import sys

print("environment:", os.environ.get("MANYHEADS_HOSTILE_SECRET"), sys.argv, sys.orig_argv, sys.path, sys.flags)
if set(os.environ) & {"HOME", "USER", "LOGNAME", "SSH_AUTH_SOCK", "MANYHEADS_HOSTILE_SECRET"}:
    print("breach: the environment names a person")


def concat_heads(heads):
    return None
