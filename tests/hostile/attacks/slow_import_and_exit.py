"""Takes long to load and ends at every call, so that it must be loaded again and again."""
# verdict: crashed | time_limit
# points: none
import os
import time

time.sleep(0.3)


def concat_heads(heads):
    os._exit(0)
