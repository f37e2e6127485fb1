"""Raises an exception whose __str__ never returns."""
# verdict: time_limit
# points: none


class Slow(Exception):
    def __str__(self):
        while True:
            pass

    __repr__ = __str__


def concat_heads(heads):
    raise Slow
