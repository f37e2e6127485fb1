"""Returns an object and raises an exception whose class names are markup and terminal codes."""
# verdict: wrong
# points: none
Odd = type("<script>alert(1)</script>\x1b[2J{got}[bold]", (), {"__module__": "<img src=x onerror=alert(1)>"})
OddError = type("<b>\x1b]0;owned\x07</b>" + "x" * 10_000, (Exception,), {})


def concat_heads(heads):
    if heads.shape[0] % 2:
        raise OddError("[link=file:///]x[/link]")
    return Odd()
