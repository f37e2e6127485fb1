"""Opens sockets of the families that speak to the kernel itself."""
# verdict: wrong
# points: none
# needs: seccomp
import socket

FAMILIES = [("AF_NETLINK", 16, socket.SOCK_RAW, 0), ("AF_ALG", 38, socket.SOCK_SEQPACKET, 0), ("AF_VSOCK", 40, 1, 0)]
FAMILIES += [("AF_INET raw", 2, socket.SOCK_RAW, 1), ("AF_PACKET", 17, socket.SOCK_RAW, 0)]


def concat_heads(heads):
    for name, *numbers in FAMILIES:
        try:
            socket.socket(*numbers).close()
            print("breach: opened a socket of family", name)
        except OSError:
            pass
