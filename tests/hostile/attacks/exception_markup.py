"""Raises an exception whose text is markup, terminal codes, lone surrogates and format braces."""
# verdict: wrong
# points: none


def concat_heads(heads):
    raise ValueError("</pre><script>document.title=1</script>\x1b]0;owned\x07\x1b[2J[bold red]x[/]\ud800{shape}\x00\r\n\u202e")
