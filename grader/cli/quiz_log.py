"""`grade quiz log export FILE` and `log import FILE…`: the answers as JSON lines, and those of another machine."""

from __future__ import annotations

import os
import sys
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from grader.cli.files import write_asked
from grader.cli.quiz_open import open_log
from grader.errors import UsageError
from grader.model import Message
from grader.quiz.events import Event
from grader.quiz.transfer import MOST_LINE, read, written
from grader.report.visible import tell

if TYPE_CHECKING:
    from grader.cli.quiz import Options

STREAM = "-"


def log(options: Options) -> int:
    """Write the whole log to a file, or add what other logs hold.

    Raises:
        UsageError: a file that cannot be read or written, or is no log; nothing is added then.
    """
    match options.rest:
        case ["export", where]:
            return _export(options, where)
        case ["import", _, *_]:
            return _import(options, options.rest[1:])
    raise UsageError(Message("schedule.log_needs"))


def import_logs(options: Options) -> int:
    """`grade quiz import FILE…`, the same as `log import`: questions are exported only, so there is no other import."""
    return log(replace(options, rest=("import", *options.rest)))


def _export(options: Options, where: str) -> int:
    with closing(open_log(options, create=False, reading=True)) as log:
        events = log.events()
    if where == STREAM:
        _print_all(written(events))
        return 0
    write_asked(Path(where), written(events), "log export")
    print(tell(Message("schedule.exported", {"count": len(events), "path": where}), options.language))
    return 0


def _print_all(text: str) -> None:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - what is left of it goes nowhere
        fields = {"option": "log export", "path": STREAM, "reason": error.strerror or str(error)}
        raise UsageError(Message("cli.cannot_write", fields)) from error


def _import(options: Options, names: tuple[str, ...]) -> int:
    events: list[Event] = []
    for name in names:
        events += _read(name)
    with closing(open_log(options)) as log:
        added = log.absorb(events)
    fields = {"added": added, "known": len(set(events)) - added}
    print(tell(Message("schedule.imported", fields), options.language))
    return 0


def _read(name: str) -> list[Event]:
    try:
        with Path(name).open(encoding="utf-8") as file:
            return read(iter(partial(file.readline, MOST_LINE + 1), ""), name)  # no line is read that is longer
    except UnicodeDecodeError as error:
        raise UsageError(Message("schedule.bad_line", {"path": name, "line": 1})) from error
    except OSError as error:
        fields = {"path": name, "reason": error.strerror or str(error)}
        raise UsageError(Message("schedule.unreadable", fields)) from error
