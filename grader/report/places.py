"""Says where a line of a submission is: in a file, or in a cell of a notebook.

What is graded of a notebook is the text of its code cells, each of which begins at the thousand of its number: line
3002 is the second line of the third code cell.
"""

from __future__ import annotations

from grader.model import Message

NOTEBOOK = ".ipynb"
LINES_OF_A_CELL = 1000  # that a code cell may have, and one more


def place_of(key: str, filename: str, number: int, **fields: str) -> Message:
    """The sentence `key`, with its line; of a notebook, the sentence `key`_in_cell, with its cell as well."""
    if not filename.casefold().endswith(NOTEBOOK):
        return Message(key, {"line": number, **fields})
    cell, line = divmod(number, LINES_OF_A_CELL)
    return Message(f"{key}_in_cell", {"cell": cell, "line": line, **fields})
