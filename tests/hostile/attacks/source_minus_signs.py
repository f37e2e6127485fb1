"""Has a hundred thousand minus signs before a number, which the parser takes one inside the other."""
# verdict: memory_limit | invalid
# points: none


def concat_heads(heads):
    return @@MINUS@@1
