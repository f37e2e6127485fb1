"""Waits for a person to type."""
# verdict: wrong
# points: none
# says: sandbox.input


def concat_heads(heads):
    return input("the answer, please: ")
