"""Never returns: a whole number of a billion digits, worked out in one C call."""
# verdict: time_limit
# points: none


def concat_heads(heads):
    return 3 ** (10**9)
