"""Deletes, renames, truncates and re-dates what belongs to others."""
# verdict: wrong
# points: none
# needs: seccomp
import os

PATHS = """@@READ@@""".splitlines()


def concat_heads(heads):
    for path in PATHS:
        for spoil in (
            lambda name: os.truncate(name, 0),
            lambda name: os.utime(name, (0, 0)),
            lambda name: os.chmod(name, 0o777),
            lambda name: os.rename(name, name + "@@MARK@@"),
            lambda name: os.setxattr(name, "user.manyheads", b"x"),
            os.remove,
        ):
            try:
                spoil(path)
                print("breach: changed a file of somebody else")
            except OSError:
                pass
