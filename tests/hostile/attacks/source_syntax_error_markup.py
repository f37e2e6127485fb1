"""Breaks the grammar in a line of markup and terminal codes."""
# verdict: invalid
# points: none
# says: sandbox.syntax


def concat_heads(heads):
    return <script>alert(1)</script> [bold red]x[/] {shape} %s @@ESCAPE@@[2J
