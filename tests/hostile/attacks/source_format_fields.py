"""Nests format fields in a text, and ends in the middle of one."""
# verdict: invalid
# points: none


def concat_heads(heads):
    return f"{heads!r:{heads!r:{heads!r:{heads!r}}}}" f"{"
