"""What is due, without waiting for the bank or the scheduler: both are asked only where something has changed.

log, bank.lock.json --changed--> State, outlines --kept in the log's file--> Agenda of any day
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass
from datetime import date
from pathlib import Path
from typing import Any

from grader.quiz.agenda import Agenda
from grader.quiz.log import Log
from grader.quiz.schedule import Standing
from grader.quiz.state import Exam, Outline, Pause, State, outlines, state_of

LOCK = Path("quizzes") / "bank.lock.json"
_FORMAT = 1  # of what is kept, and of the rules that it was computed by
_AGENDA, _BANK = "agenda", "bank"
_FIELDS = ("id", "version", "type", "family", "topic", "exercise", "wrong")  # of a record


def agenda(log: Log, root: Path, day: date) -> Agenda:
    """What the log asks of the bank of the course in `root` on a day.

    Raises:
        ContentError: the bank was never built, or is not what a build writes.
        UsageError: the log cannot be read.
        ModuleNotFoundError: fsrs is not installed, and something has changed.
    """
    stamp, mark = _stamp(root), log.mark()
    with suppress(ValueError, KeyError, TypeError):  # what another version kept
        if stamp and (found := _thawed(log.computed(_AGENDA, since=mark), stamp)):
            return Agenda(*found, day)
    bank = _records(log, root, stamp)
    state, items = state_of(log.events(), bank), outlines(bank)
    log.keep_computed(_AGENDA, mark, _frozen(state, items, stamp))
    return Agenda(state, items, day)


@dataclass(frozen=True)
class _Kept:
    """Of the records of a bank what dates depend on."""

    records: tuple[Mapping[str, Any], ...]


def _records(log: Log, root: Path, stamp: list[str | int]) -> _Kept:
    """The bank, read only where it is another one than last time."""
    with suppress(ValueError, KeyError, TypeError):
        tree = json.loads(log.computed(_BANK) or "{}")
        if stamp and tree.get("stamp") == stamp:
            return _Kept(tuple(tree["records"]))
    from grader.quiz.lock import read_lock  # noqa: PLC0415 - what a prompt does not wait for

    kept = [{name: record[name] for name in _FIELDS} for record in read_lock(root).records]
    for record in kept:
        record["wrong"] = [{"mistake": option["mistake"]} for option in record["wrong"]]
    log.keep_computed(_BANK, log.mark(), json.dumps({"stamp": stamp, "records": kept}))
    return _Kept(tuple(kept))


def _stamp(root: Path) -> list[str | int]:
    """What tells one frozen bank from another without reading it; empty where there is none."""
    path = root.resolve() / LOCK
    try:
        status = path.stat()
    except OSError:
        return []
    return [_FORMAT, str(path), status.st_size, status.st_mtime_ns]


def _frozen(state: State, bank: tuple[Outline, ...], stamp: list[str | int]) -> str:
    tree = {
        "stamp": stamp,
        "bank": [astuple(item) for item in bank],
        "known": {item: astuple(standing) for item, standing in state.known.items()},
        "exams": [astuple(exam) for exam in state.exams],
        "pauses": [astuple(pause) for pause in state.pauses],
        "called": state.called,
        "newest": state.newest,
    }
    return json.dumps(tree, default=date.isoformat)


def _thawed(text: str | None, stamp: list[str | int]) -> tuple[State, tuple[Outline, ...]] | None:
    tree = json.loads(text) if text else {}
    if tree.get("stamp") != stamp:
        return None
    state = State(
        {item: _standing(fields) for item, fields in tree["known"].items()},
        tuple(Exam(topic, date.fromisoformat(day)) for topic, day in tree["exams"]),
        tuple(Pause(date.fromisoformat(first), _day(end)) for first, end in tree["pauses"]),
        {item: date.fromisoformat(day) for item, day in tree["called"].items()},
        _day(tree["newest"]),
    )
    return state, tuple(_item(*fields) for fields in tree["bank"])


def _item(name: str, family: str, topic: str, exercise: str, mistakes: Sequence[str]) -> Outline:
    return Outline(name, family, topic, exercise, tuple(mistakes))


def _standing(fields: Sequence[Any]) -> Standing:
    stability, difficulty, last, answered, due, *counts, error = fields
    memory = float(stability), float(difficulty), date.fromisoformat(last), str(answered), date.fromisoformat(due)
    asked, lapses, helped = map(int, counts)
    return Standing(*memory, asked, lapses, helped, _day(error))


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None
