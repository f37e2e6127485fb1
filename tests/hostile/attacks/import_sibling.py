"""Imports a file that lies beside it and that nobody handed in."""
# verdict: invalid
# points: none
# says: sandbox.import_refused
import planted_sibling

concat_heads = planted_sibling.concat_heads
