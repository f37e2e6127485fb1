"""Has a hundred thousand parentheses inside one another."""
# verdict: invalid
# points: none
# says: sandbox.syntax


def concat_heads(heads):
    return @@OPEN@@heads@@CLOSE@@
