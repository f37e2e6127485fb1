"""Makes a submission of a reference whose every answer is junk of one kind."""

from __future__ import annotations

from pathlib import Path

from grader.audit import junk_answers

KINDS = tuple(junk_answers.KINDS)

# The code has a namespace of its own, so that it takes no name from the reference.
_BEHIND = """
_junk = {{"__name__": "junk"}}
exec({code!r}, _junk)
_junk["spoil"](globals(), {names!r}, {kind!r})
"""


def junk_source(reference: bytes, names: tuple[str, ...], kind: str) -> bytes:
    """The reference, and behind it the code that spoils what these functions and classes answer."""
    code = Path(junk_answers.__file__).read_text(encoding="utf-8")
    return reference + _BEHIND.format(code=code, names=names, kind=kind).encode()
