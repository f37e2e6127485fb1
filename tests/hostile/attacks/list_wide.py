"""Returns a list of two million numbers."""
# verdict: wrong | time_limit
# points: none


def concat_heads(heads):
    return [0] * 2 * 10**6
