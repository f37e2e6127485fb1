"""CSV: one line for each question, for spreadsheets; no cell is taken for a formula."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from fractions import Fraction

from grader.quiz.exports.entry import About, Entry, Note
from grader.quiz.exports.markup import as_plain
from grader.quiz.exports.spellings import decimal

_FIXED = (
    *("id", "topic", "exercise", "type", "question", "options", "answer", "spellings", "tolerance"),
    *("hint", "explanation", "line"),
)
_MARK = "\N{BYTE ORDER MARK}"  # without it, Excel takes Chinese for Latin
_FORMULA = re.compile(r"[\s\u00a0]*[=+\-@＝＋－＠]|[\t\r\n]")
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?")
_BETWEEN = " | "


def written(entries: Sequence[Entry], about: About) -> tuple[bytes, list[Note]]:
    """The file, its columns named alike in every language; every type of question has a line in it."""
    most = max((len(entry.wrong) for entry in entries), default=0)
    wrong = [f"{part}_{i + 1}" for i in range(most) for part in ("wrong", "mistake", "feedback")]
    text = io.StringIO(newline="")
    table = csv.writer(text)
    table.writerow([*_FIXED, *wrong, "language", "edition"])
    for entry in entries:
        told = [part for each in entry.wrong for part in (each.text, each.mistake, as_plain(each.said))]
        cells = [*_cells(entry), *told, *[""] * (len(wrong) - len(told)), about.language, str(about.edition)]
        table.writerow([harmless(cell) for cell in cells])
    return (_MARK + text.getvalue()).encode(), []


def harmless(cell: str) -> str:
    """A cell that a spreadsheet shows and never computes: what looks like a formula begins with an apostrophe."""
    return f"'{cell}" if _FORMULA.match(cell) and not _NUMBER.fullmatch(cell) else cell


def _cells(entry: Entry) -> list[str]:
    options = list(entry.mixed) or [choice.text for choice in entry.choices]
    if entry.kind == "match":
        options += sorted(right for _, right in entry.pairs)
    spellings = entry.blanks[0].spellings if len(entry.blanks) == 1 else ()
    tolerance = entry.blanks[0].tolerance if entry.blanks else Fraction(0)
    return [
        *(entry.name, entry.topic, entry.exercise, entry.kind, as_plain(entry.prompt)),
        _BETWEEN.join(map(as_plain, options)),
        as_plain(entry.key),
        _BETWEEN.join(spellings[1:]),
        decimal(tolerance) if tolerance else "",
        *(as_plain(entry.hint), as_plain(entry.explain), entry.line),
    ]
