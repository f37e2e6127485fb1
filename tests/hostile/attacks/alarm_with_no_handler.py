"""Sets an alarm whose default action ends the worker between two answers."""
# verdict: time_limit | wrong | crashed
# points: none
import signal

signal.signal(signal.SIGALRM, signal.SIG_DFL)
signal.setitimer(signal.ITIMER_REAL, 0.01)


def concat_heads(heads):
    signal.pause()
