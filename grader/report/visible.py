"""Makes any text safe to show: what could steer a terminal or hide becomes visible, and what is too long is cut.

A name, a printed line or an exception may hold whatever a student's file put there. Nothing reaches a screen or a page
but through these functions; escaping for HTML or XML comes after them and is no part of them.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from grader.model import Language, Message
from grader.texts import say

LINE = 300  # characters of one field of a sentence
CODE = 160  # characters of one line of code or output

# Spaces of their own kind that are no danger; str.isprintable() calls them unprintable.
_SPACES = "\n\t\N{NO-BREAK SPACE}\N{IDEOGRAPHIC SPACE}"
# Three marks on one letter are a language; forty are a tower that covers the lines above it.
_MARK = "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
_TOWER = re.compile(f"({_MARK}{{3}}){_MARK}+")


def visible(text: str) -> str:
    """The text with every control, format, surrogate and unassigned character spelt out; line ends and tabs stay.

    ESC becomes U+241B (its picture), a right-to-left override becomes `<U+202E>`.
    """
    if text.isascii() and text.isprintable():
        return text
    if not text.isprintable():
        text = "".join(c if c.isprintable() or c in _SPACES else _spelt(c) for c in text)
    return _TOWER.sub(r"\1", text)


def _spelt(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)  # the block "Control Pictures" has one for each
    return "\N{SYMBOL FOR DELETE}" if code == 0x7F else f"<U+{code:04X}>"


def line(text: str, most: int = LINE) -> str:
    """The text as one line of at most `most` characters, with an ellipsis where it was cut."""
    head = visible(" ".join(text[:most].split()))
    return head[:most] + ("…" if len(text) > most or len(head) > most else "")


def code_line(text: str, most: int = CODE) -> str:
    """A line of code or output with its indentation kept, tabs as four spaces, cut at `most` characters."""
    head = visible(text[:most].rstrip("\r\n").replace("\n", " ").expandtabs(4))
    return head[:most] + ("…" if len(text) > most or len(head) > most else "")


def pointer(text: str, column: int) -> str:
    """What stands before a column of a line of code, as `code_line` shows it; columns count from 1."""
    return visible(text[: column - 1].expandtabs(4))


class Block(NamedTuple):
    """Some lines of a longer text, and how many were left out."""

    lines: tuple[str, ...]
    left_out: int


def block(text: str, most_lines: int) -> Block:
    """The first `most_lines` lines of printed text or of a traceback, each of them safe and cut."""
    lines = text.replace("\r\n", "\n").rstrip("\n").split("\n")
    shown = tuple(code_line(each) for each in lines[:most_lines])
    return Block(shown if any(shown) else (), max(0, len(lines) - most_lines))


def _field(text: str) -> str:
    """The text as one line, a space kept that sets it apart from the word before."""
    return " " * text.startswith(" ") + line(text)


def tell(message: Message, language: Language) -> str:
    """The message as one safe sentence: the template is ours, every field in it is made visible and cut."""
    fields = {name: _field(value) if isinstance(value, str) else value for name, value in message.fields.items()}
    return say(Message(message.key, fields), language)
