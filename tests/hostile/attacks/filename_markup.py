"""Lies in a file whose name is markup and terminal codes; the answers are wrong."""
# verdict: wrong
# points: none
# file: <img src=x onerror=alert(1)>{got}[bold]@@ESCAPE@@[2J.py


def concat_heads(heads):
    return {}[heads]
