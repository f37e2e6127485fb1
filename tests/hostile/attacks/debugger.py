"""Starts the debugger by itself, not by breakpoint()."""
# verdict: wrong
# points: none
import pdb


def concat_heads(heads):
    pdb.set_trace()
