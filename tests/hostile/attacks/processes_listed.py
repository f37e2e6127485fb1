"""Looks for other processes and reads how they were started."""
# verdict: wrong
# points: none
# needs: landlock
import os


def concat_heads(heads):
    for name in (*map(str, range(1, 400)), "@@GRADER_PID@@", "self", str(os.getppid())):
        for what in ("cmdline", "environ", "status", "maps"):
            try:
                with open(f"/proc/{name}/{what}", "rb") as file:
                    if file.read(1):
                        print("breach: read", what, "of process", name)
                        return
            except OSError:
                pass
