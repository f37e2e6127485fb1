"""Runs a shell by os.system."""
# verdict: wrong
# points: none
# needs: seccomp
import os


def concat_heads(heads):
    if os.system("echo breach: a shell ran") == 0:
        print("breach: a shell ran")
