"""Returns a whole number of ten million bits."""
# verdict: wrong
# points: none
# says: sandbox.unsendable


def concat_heads(heads):
    return 1 << 10**7
