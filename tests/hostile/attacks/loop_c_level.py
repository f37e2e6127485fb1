"""Never returns: one C call that runs for ever, so that no Python signal handler is ever reached."""
# verdict: time_limit
# points: none
import itertools


def concat_heads(heads):
    return sum(itertools.repeat(1))
