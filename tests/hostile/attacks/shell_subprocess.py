"""Runs a shell, Python and the grader's own command by subprocess."""
# verdict: wrong
# points: none
# needs: seccomp
import subprocess
import sys


def concat_heads(heads):
    for command in (["/bin/sh", "-c", "true"], [sys.executable, "-c", "0"], ["grade", "--help"], ["/bin/true"]):
        try:
            subprocess.run(command, timeout=5, check=False)
        except (OSError, ValueError):
            continue
        print("breach: a program ran:", command[0])
