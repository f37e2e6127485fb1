"""Never returns: a loop of Python statements."""
# verdict: time_limit
# points: none


def concat_heads(heads):
    count = 0
    while True:
        count += 1
