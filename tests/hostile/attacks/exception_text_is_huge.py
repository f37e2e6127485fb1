"""Raises an exception with a text of 100 million characters."""
# verdict: wrong | crashed | memory_limit | time_limit
# points: none


class Long(Exception):
    def __str__(self):
        return "x" * 10**8


def concat_heads(heads):
    raise Long
