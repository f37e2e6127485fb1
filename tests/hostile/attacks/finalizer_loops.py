"""Returns an object whose finalizer never returns, so that forgetting the result hangs."""
# verdict: time_limit | wrong
# points: none


class Lasting:
    def __del__(self):
        while True:
            pass


def concat_heads(heads):
    return Lasting()
