"""Stops in the debugger."""
# verdict: wrong
# points: none
# says: sandbox.breakpoint


def concat_heads(heads):
    breakpoint()
