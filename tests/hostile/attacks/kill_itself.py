"""Sends itself every signal that ends a process."""
# verdict: wrong | crashed
# points: none
import os
import signal


def concat_heads(heads):
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGSEGV, signal.SIGKILL):
        signal.getsignal(number)
        os.kill(os.getpid(), number)
