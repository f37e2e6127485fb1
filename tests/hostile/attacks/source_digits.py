"""Has a whole number of a million digits."""
# verdict: invalid | time_limit
# points: none
# says: sandbox.syntax


def concat_heads(heads):
    return @@DIGITS@@
