"""Prints without end."""
# verdict: output_limit
# points: none
# says: sandbox.output_limit


def concat_heads(heads):
    while True:
        print("All checks passed. 100 / 100 points.")
