"""Raises its own limits and those of other processes."""
# verdict: wrong
# points: none
import os
import resource

KINDS = [resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE]


def concat_heads(heads):
    for kind in KINDS:
        for pid in (0, os.getpid(), int("@@GRADER_PID@@")):
            try:
                before = resource.getrlimit(kind)
                resource.prlimit(pid, kind, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
                if resource.getrlimit(kind) != before or pid not in (0, os.getpid()):
                    print("breach: a limit was raised")
            except (OSError, ValueError):
                pass
