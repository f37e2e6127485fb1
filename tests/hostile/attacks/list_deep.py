"""Returns a list nested a hundred thousand deep."""
# verdict: wrong | crashed
# points: none
# says: sandbox.unsendable


def concat_heads(heads):
    result = []
    for _ in range(100_000):
        result = [result]
    return result
