"""Is a generator function: the work would happen only where the result is read."""
# verdict: wrong
# points: none
# says: checks.no_array


def concat_heads(heads):
    while True:
        yield 0.0
