"""Connects to a listener on this machine and tells it something."""
# verdict: wrong
# points: none
import socket


def concat_heads(heads):
    for family, host in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
        try:
            with socket.socket(family, socket.SOCK_STREAM) as out:
                out.settimeout(0.2)
                out.connect((host, int("@@TCP@@")))
                out.sendall(b"hello")
            print("breach: connected")
        except OSError:
            pass
