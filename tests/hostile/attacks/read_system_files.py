"""Reads what describes this machine and the people on it."""
# verdict: wrong
# points: none
# needs: landlock
NAMES = ["/etc/passwd", "/etc/hostname", "/etc/machine-id", "/proc/mounts", "/proc/net/tcp", "/proc/version"]


def concat_heads(heads):
    for name in NAMES:
        try:
            with open(name, "rb") as file:
                if file.read(1):
                    print("breach: read", name)
        except OSError:
            pass
