"""Blocks and ignores every signal it can, then loops."""
# verdict: time_limit
# points: none
import signal

for number in signal.valid_signals():
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())


def concat_heads(heads):
    while True:
        pass
