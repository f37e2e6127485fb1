"""Sends a signal that does nothing to every process there is, and one that is harmless to its own group."""
# verdict: wrong
# points: none
# needs: seccomp
import os
import signal


def concat_heads(heads):
    for send, target, number in ((os.kill, -1, 0), (os.kill, 0, signal.SIGCONT)):
        try:
            send(target, number)
            print("breach: signals were sent to many processes")
        except OSError:
            pass
