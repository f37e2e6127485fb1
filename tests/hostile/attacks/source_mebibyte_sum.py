"""Has one expression of half a million terms, too deep for the compiler."""
# verdict: crashed | invalid | refused | time_limit | memory_limit
# points: none


def concat_heads(heads):
    return 0 @@PLUS_ZERO@@
