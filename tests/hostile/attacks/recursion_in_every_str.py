"""Raises an exception whose text needs endless recursion."""
# verdict: wrong | crashed | time_limit | memory_limit
# points: none


class Deep(Exception):
    def __str__(self):
        return str(self)

    __repr__ = __str__


def concat_heads(heads):
    raise Deep
