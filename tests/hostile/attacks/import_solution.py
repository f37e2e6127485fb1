"""Imports the reference by the name of its folder and of its module."""
# verdict: invalid
# points: none
# says: sandbox.import_refused
import concat

concat_heads = concat.concat_heads
