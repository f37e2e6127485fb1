"""`grade quiz export FILE`: the bank for Anki, for learning platforms, for spreadsheets, on paper."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from grader.cli.files import refuse_database
from grader.cli.quiz_open import read_bank
from grader.course import shown_path
from grader.errors import UsageError
from grader.model import Message
from grader.quiz.exports.entries import entries_of
from grader.quiz.exports.entry import About, Note
from grader.quiz.exports.formats import FORMATS, write
from grader.report.visible import tell
from grader.state import write_named

if TYPE_CHECKING:
    from grader.cli.quiz import Options

NAME = "Manyheads"
DONE = 0
MOST_VARIANTS = 48
MOST_LETTERS = 100  # of a name


def export(options: Options) -> int:
    """Write the bank in one format; what the format cannot hold is said question by question.

    Raises:
        UsageError: no file, no such format or topic, or a file that cannot be written.
        ContentError: the bank was never built.
    """
    from grader.cli.quiz import check_range, check_topic  # noqa: PLC0415 - it imports this module

    if len(options.rest) != 1:
        raise UsageError(Message("quiz_exports.needs_file"))
    path = Path(options.rest[0])
    name = _format(options.to, path)
    title = _name(options.name)
    check_range("--variants", options.variants, 1, MOST_VARIANTS)
    course, bank = read_bank(options)
    check_topic(options.topic, [record["topic"] for record in bank.records])
    variants = options.variants or FORMATS[name].variants
    entries = list(entries_of(bank, course.mistakes, options.language, variants, options.topic))
    about = About(title, options.language, bank.edition, bank.revision)
    content, notes = write(name, entries, about)
    try:
        refuse_database(path, "export")
        write_named(path, content)
    except OSError as error:
        fields = {"path": shown_path(path), "reason": error.strerror or str(error)}
        raise UsageError(Message("quiz_exports.cannot_write", fields)) from error
    out = {note.item for note in notes if note.left_out}
    written = [entry for entry in entries if entry.item not in out]
    counts = {"questions": len(written), "items": len({entry.item for entry in written}), "edition": bank.edition}
    if options.json:
        lists = {which: _by_key(notes, left_out=which == "left_out") for which in ("left_out", "changed")}
        print(json.dumps({"format": name, "path": str(path), **counts, **lists}, ensure_ascii=False))
        return DONE
    for note, items in _grouped(notes).items():
        print(tell(Message(f"quiz_exports.{note}", {"items": ", ".join(items)}), options.language))
    print(tell(Message("quiz_exports.written", {"path": shown_path(path), **counts}), options.language))
    if name == "anki":
        print(tell(Message("quiz_exports.anki_update"), options.language))
    return DONE


def _name(asked: str | None) -> str:
    """What the deck or category is called: one line, since a further one would mean something to a format."""
    name = NAME if asked is None else " ".join(asked.split())
    if not (name.isprintable() and 0 < len(name) <= MOST_LETTERS):
        raise UsageError(Message("quiz_exports.no_name", {"most": MOST_LETTERS}))
    return name


def _format(asked: str | None, path: Path) -> str:
    """The format that was asked for, else the only one whose files end so."""
    if asked is not None and asked not in FORMATS:
        fields = {"format": asked, "formats": ", ".join(FORMATS)}
        raise UsageError(Message("quiz_exports.no_format", fields))
    fitting = [name for name, each in FORMATS.items() if each.ending == path.suffix.lower()]
    if asked is None and len(fitting) != 1:
        fields = {"path": shown_path(path), "formats": "|".join(fitting or FORMATS)}
        raise UsageError(Message("quiz_exports.which_format", fields))
    return asked or fitting[0]


def _grouped(notes: Sequence[Note]) -> dict[str, list[str]]:
    """Questions by what became of them, each once."""
    found: dict[str, dict[str, None]] = {}
    for note in notes:
        found.setdefault(note.key, {})[note.item] = None
    return {key: list(items) for key, items in found.items()}


def _by_key(notes: Sequence[Note], *, left_out: bool) -> dict[str, list[str]]:
    return _grouped([note for note in notes if note.left_out is left_out])
