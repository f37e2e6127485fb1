"""Speaks to a socket without a path, and to one with a path, both of this machine."""
# verdict: wrong
# points: none
# needs: seccomp
import socket


def concat_heads(heads):
    for address in ("\0@@UNIX@@", "@@UNIX_PATH@@"):
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as out:
                out.settimeout(0.2)
                out.connect(address)
                out.sendall(b"hello")
            print("breach: connected")
        except OSError:
            pass
