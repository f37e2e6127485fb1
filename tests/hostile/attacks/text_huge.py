"""Returns texts of thirty million characters: markup, terminal codes and characters outside the plane."""
# verdict: wrong | crashed | time_limit
# points: none


def concat_heads(heads):
    return ("<script>\x1b[2J\U0001f600\u202e" * 3_000_000)[: 30_000_000 // 3]
