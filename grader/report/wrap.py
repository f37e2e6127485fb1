"""Breaks English and Chinese into lines of a terminal: Latin words stay whole, Chinese breaks between characters."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rich.cells import cell_len

_OPEN = "（《「『【〔“‘"
_CLOSE = "，。、；：？！）》」』】〕”’…"
_WIDE = "\u2e80-\u2fff\u3005-\u3007\u3040-\u33ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff10-\uff5a"
# A piece is what no line end may cut: a word or one wide character, with the punctuation that belongs to it.
_PIECE = re.compile(
    rf"\s+|[{_OPEN}]*(?:[{_WIDE}]|[^\s{_WIDE}{_OPEN}{_CLOSE}]+)?[{_CLOSE}]*",
)


def wrap(text: str, width: int) -> list[str]:
    """The text in lines of at most `width` terminal cells; a wide character takes two.

    No line starts with a closing mark or ends with an opening one, as Chinese typesetting wants it.
    """
    lines, current, used = [], "", 0
    for piece, cells in _pieces(text, max(2, width)):
        if used + cells > width and current:
            lines += [current.rstrip()] if current.strip() else []
            current, used = "", 0
        if piece.isspace() and not current and lines:
            continue  # the space at which the line was broken
        current, used = current + piece, used + cells
    if current.strip() or not lines:
        lines.append(current.rstrip())
    return lines


def _pieces(text: str, width: int) -> Iterator[tuple[str, int]]:
    for piece in _PIECE.findall(text):
        cells = cell_len(piece)
        if cells <= width:
            yield piece, cells
        else:
            yield from ((character, cell_len(character)) for character in piece)


def cut(text: str, width: int) -> str:
    """The text cut to `width` terminal cells, with an ellipsis where something is missing."""
    if cell_len(text) <= width:
        return text
    used, kept = 1, ""
    for character in text:
        used += cell_len(character)
        if used > width:
            break
        kept += character
    return kept + "…"
