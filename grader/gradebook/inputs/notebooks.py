"""Takes the Python out of a Jupyter notebook: its code cells joined, and what only a notebook understands skipped.

    cell 1   %matplotlib inline        line 1001   pass  # %matplotlib inline
             import numpy as np   -->  line 1002   import numpy as np
    cell 2   !pip install einops       line 2001   pass  # !pip install einops

Each code cell begins at the thousand of its number: wherever a line is told, it can be told as a cell and a line
(`grader.report.places`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from grader.course import MAX_SOURCE
from grader.installing import install_command
from grader.model import Message
from grader.report.places import LINES_OF_A_CELL

MOST_SHOWN = 60  # characters of a skipped line
MOST_CELLS = MAX_SOURCE // LINES_OF_A_CELL - 1  # a line takes a byte at least
MOST_PARTS = 500_000  # objects and lists, each of which takes a hundred times its bytes in memory

# What follows on these lines is Python all the same; after any other %%magic the cell is something else.
_PYTHON_BODY = re.compile(r"%%(?:time|timeit|capture|prun|(?:writefile|file)\s+(?:-a\s+)?\S+\.py)\b")
_NO_SOURCE = re.compile("[\0\ud800-\udfff]")  # characters that no Python file can hold; JSON can
_MAGIC = re.compile(r"\s*(?:[%!?]|[\w.]+\s*=\s*(?:!|%[A-Za-z])|[\w.]+\?{1,2}\s*$)")
# Strings, comments and brackets; a string that its line does not close reaches to the end of the line.
_TOKEN = re.compile(
    r"""(?P<long>'''|\""")|'(?:\\.|[^'\\])*'?|"(?:\\.|[^"\\])*"?|\#.*|(?P<open>[\[({])|(?P<close>[\])}])"""
)


class Code(NamedTuple):
    """The Python of a notebook.

    Attributes:
        skipped: how many lines were skipped.
        first_skipped: the first of them.
    """

    source: bytes
    skipped: int
    first_skipped: str


def code_of(content: bytes) -> Code | Message:
    """The code of a notebook of any version, or why there is none."""
    if content.count(b"{") + content.count(b"[") > MOST_PARTS:
        return Message("batch.notebook_too_much")
    try:
        cells = _code_cells(content)
    except ModuleNotFoundError as error:
        if error.name != "nbformat":
            raise
        return Message("batch.notebook_extra", {"command": install_command("batch")})
    except Exception:  # noqa: BLE001 - it is somebody else's text, which may be wrong in any way
        return Message("batch.notebook_broken")
    if cells is None:
        return Message("batch.notebook_language")
    filled = [(number, text) for number, cell in enumerate(cells, 1) if (text := _plain(cell)).strip()]
    return _problem_of(filled) or _joined(filled)


def _problem_of(cells: Sequence[tuple[int, str]]) -> Message | None:
    """Why cells, each with its number, cannot be joined to a source."""
    for number, text in cells:
        if number > MOST_CELLS:
            return Message("batch.notebook_many_cells", {"cell": number, "most": MOST_CELLS})
        if text.count("\n") + 1 >= LINES_OF_A_CELL:
            return Message("batch.notebook_long_cell", {"cell": number, "most": LINES_OF_A_CELL - 1})
        if odd := _NO_SOURCE.search(text):
            return Message("batch.notebook_character", {"cell": number, "character": f"U+{ord(odd[0]):04X}"})
    return None


def _joined(cells: Sequence[tuple[int, str]]) -> Code:
    source: list[str] = []
    skipped: list[str] = []
    for number, text in cells:
        lines = list(_lines(text))
        source += [""] * (number * LINES_OF_A_CELL - len(source))
        source += [line if is_python else _harmless(line) for line, is_python in lines]
        skipped += [line.strip() for line, is_python in lines if not is_python and line.strip()]
    first_skipped = skipped[0][:MOST_SHOWN] if skipped else ""
    return Code("".join(f"{line}\n" for line in source).encode(), len(skipped), first_skipped)


def _code_cells(content: bytes) -> list[str] | None:
    """The texts of the code cells in their order; None where they are in another language."""
    from nbformat import converter, reader  # noqa: PLC0415 - only where a notebook was handed in

    untyped: Any = (reader.reads, converter.convert)
    reads, convert = untyped
    notebook = convert(reads(content.decode("utf-8-sig")), 4)  # a notebook of any version as one of version 4
    if "python" not in _language(notebook.get("metadata")).casefold():
        return None
    return [_text(cell.source) for cell in notebook.cells if cell.cell_type == "code"]


def _language(metadata: object) -> str:
    """The language that a notebook tells; Python where it tells none, in whatever way."""
    for part, name in (("language_info", "name"), ("kernelspec", "language")):
        told = metadata.get(part) if isinstance(metadata, Mapping) else None
        if isinstance(told, Mapping) and told.get(name):
            return str(told[name])
    return "python"


def _text(source: str | Sequence[str]) -> str:
    return source if isinstance(source, str) else "".join(source)


def _plain(cell: str) -> str:
    """The text of a cell with the line ends of Unix, without those in the end."""
    return cell.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n")


def _lines(cell: str) -> Iterator[tuple[str, bool]]:
    """The lines of a cell, and whether each is Python."""
    lines = cell.split("\n")
    first = next((line.lstrip() for line in lines if line.strip()), "")
    if first.startswith("%%") and not _PYTHON_BODY.match(first):
        yield from ((line, False) for line in lines)
        return
    place = _Place()
    shell_goes_on = False
    for line in lines:
        if shell_goes_on or (place.begins_statement and _MAGIC.match(line)):
            shell_goes_on = line.endswith("\\")
            yield line, False
        else:
            place.pass_over(line)
            yield line, True


def _harmless(line: str) -> str:
    """A statement that does nothing, in the place of one that no Python file may hold."""
    indent = line[: len(line) - len(line.lstrip())]
    return f"{indent}pass  # {line.strip()}" if line.strip() else ""


class _Place:
    """Where a line begins: "% 2" inside of brackets or of a long string is no magic."""

    def __init__(self) -> None:
        self._quotes = ""
        self._depth = 0
        self._goes_on = False

    @property
    def begins_statement(self) -> bool:
        return not (self._quotes or self._depth or self._goes_on)

    def pass_over(self, line: str) -> None:
        at = 0
        while at < len(line):
            if self._quotes:
                end = line.find(self._quotes, at)
                at = len(line) if end < 0 else end + 3
                self._quotes = self._quotes if end < 0 else ""
                continue
            token = _TOKEN.search(line, at)
            if token is None:
                break
            at = token.end()
            self._quotes = token["long"] or ""
            self._depth = max(0, self._depth + bool(token["open"]) - bool(token["close"]))
        self._goes_on = line.endswith("\\")
