r"""What a student has reached: best score of each exercise, mistakes met and overcome, hints seen; one JSON file.

    grade --report--> with_report --\
                                     change: lock, read, edit, write durably --> .manyheads/progress.json
    grade hint -----> with_hint ----/

The file holds plain data and nothing of a student's code. Two runs at once wait for each other; a crash leaves the old
file or the new one; a file that cannot be understood is set aside under another name, and that is said.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from grader.errors import UsageError
from grader.model import DiagnosisKind, GradeReport, Message, Verdict
from grader.state import locked, prepare_state_folder, read_regular, write_durably

SCHEMA = 1
UNRECORDED = (Verdict.NOT_ATTEMPTED, Verdict.GRADER_ERROR)  # they say nothing of the student
HINT_PAUSE_S = 60  # between two hints
MOST_BYTES = 2**22  # of the file; a course of a hundred exercises stays below a hundredth of it


@dataclass(frozen=True)
class MetMistake:
    """A mistake that a graded answer showed; times as ISO 8601 in UTC."""

    first_seen: str
    last_seen: str
    overcome: str | None = None  # when an answer was understood in full, and showed it no longer


@dataclass(frozen=True)
class Record:
    """What was reached in one exercise; one that was never attempted has none."""

    runs: int = 0  # graded, untouched starters not counted
    points: float = 0.0  # the best
    max_points: float = 0.0  # of that run
    completed: str | None = None  # when all checks passed for the first time
    detected: tuple[str, ...] = ()  # slugs that the last answer that could be examined showed for certain
    mistakes: Mapping[str, MetMistake] = field(default_factory=dict)
    hints: tuple[str, ...] = ()  # rungs of the ladder that were shown, in the order in which they were
    hinted: str | None = None  # when the last one was shown, where nothing has been graded since


@dataclass(frozen=True)
class Progress:
    """All records of one state folder."""

    exercises: Mapping[str, Record] = field(default_factory=dict)
    last: str | None = None  # the exercise that was attempted last

    def record(self, exercise: str) -> Record:
        """The record of an exercise, an empty one where there is none."""
        return self.exercises.get(exercise, Record())


# --- what changes ------------------------------------------------------------------------------------------------


def now() -> str:
    """The time, in UTC and to the second: 2026-03-01T09:30:00Z."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def with_report(progress: Progress, report: GradeReport, when: str) -> Progress:
    """The progress after a graded answer.

    A verdict of UNRECORDED changes nothing. A mistake is met where it was named for certain, and overcome once
    all checks pass or other mistakes explain all that the answer does; if it shows again, it is met again.
    """
    if report.verdict in UNRECORDED:
        return progress
    old = progress.record(report.exercise)
    found = _found(report)
    mistakes = dict(old.mistakes)
    for slug in mistakes if _understood(report) else ():
        mistakes[slug] = replace(mistakes[slug], overcome=mistakes[slug].overcome or when)
    for slug in found:
        first = mistakes[slug].first_seen if slug in mistakes else when
        mistakes[slug] = MetMistake(first, when)
    examined = report.diagnosis.kind is not DiagnosisKind.NOT_RUN or _only_unwritten(report)
    record = replace(old, detected=found if examined else old.detected, mistakes=mistakes)
    record = _with_run(record, report.points, report.max_points, when if report.verdict is Verdict.ACCEPTED else None)
    return Progress({**progress.exercises, report.exercise: record}, report.exercise)


def with_samples(progress: Progress, exercise: str, passed: int, checks: int, when: str) -> Progress:
    """The progress after the sample checks of a release were run: a point for each that passes."""
    completed = when if passed == checks > 0 else None
    record = _with_run(progress.record(exercise), float(passed), float(checks), completed)
    return Progress({**progress.exercises, exercise: record}, exercise)


def _with_run(old: Record, points: float, max_points: float, completed: str | None) -> Record:
    """The record after one more answer; the best one stays."""
    better = not old.runs or _share(points, max_points) >= _share(old.points, old.max_points)
    return replace(
        old,
        runs=old.runs + 1,
        points=points if better else old.points,
        max_points=max_points if better else old.max_points,
        completed=old.completed or completed,
        hinted=None,
    )


def newly_overcome(before: Record, after: Record) -> tuple[str, ...]:
    """Slugs of the mistakes that a graded answer has overcome."""
    open_before = [slug for slug, met in before.mistakes.items() if met.overcome is None]
    return tuple(slug for slug in open_before if after.mistakes[slug].overcome is not None)


def _understood(report: GradeReport) -> bool:
    """Whether the report knows all that the answer does, so that a mistake it does not name is not there."""
    return report.verdict is Verdict.ACCEPTED or report.diagnosis.kind is DiagnosisKind.NAMED


def _only_unwritten(report: GradeReport) -> bool:
    """Whether all that is written passes: nothing fails but the functions that are still the starter's."""
    failures = [failure for check in report.checks for failure in check.failures]
    return bool(failures) and all(failure.message.key == "sandbox.not_written" for failure in failures)


def _found(report: GradeReport) -> tuple[str, ...]:
    """Slugs of the mistakes that are certain; of several that look alike none is."""
    if report.diagnosis.kind is not DiagnosisKind.NAMED:
        return ()
    return tuple(finding.mistake.slug for finding in report.diagnosis.findings)


def _share(points: float, most: float) -> float:
    return points / most if most else 0.0


def with_hint(progress: Progress, exercise: str, rung: str, when: str | None = None) -> Progress:
    """The progress after a rung of the ladder was shown; without `when`, nobody has to wait for the next one."""
    record = progress.record(exercise)
    if rung in record.hints:
        return progress
    record = replace(record, hints=(*record.hints, rung), hinted=when)
    return replace(progress, exercises={**progress.exercises, exercise: record})


def hint_wait_s(record: Record, when: str) -> int:
    """Seconds until the next hint: a while to think about the last one, none once an answer was graded after it."""
    try:
        passed = datetime.fromisoformat(when) - datetime.fromisoformat(record.hinted or when)
    except (ValueError, TypeError):  # the file may be a stranger's
        return 0
    passed_s = int(passed.total_seconds())
    return HINT_PAUSE_S - passed_s if record.hinted and 0 <= passed_s < HINT_PAUSE_S else 0


def next_exercise(progress: Progress, names: Sequence[str]) -> str | None:
    """The exercise to do next: the one attempted last or, in order after it, the first that is not complete.

    After the last exercise of the course it goes on with the first. None where all are complete.
    """
    start = names.index(progress.last) if progress.last in names else 0
    waiting = (name for name in (*names[start:], *names[:start]) if progress.record(name).completed is None)
    return next(waiting, None)


# --- the file ----------------------------------------------------------------------------------------------------


class ProgressFile:
    """progress.json in a state folder.

    Args:
        folder: the state folder; it is made when something is written.
        warn: receives the sentence on a damaged file that was set aside.
    """

    def __init__(self, folder: Path, warn: Callable[[Message], None]) -> None:
        self._folder = folder
        self._path = folder / "progress.json"
        self._lock = folder / "progress.lock"
        self._warn = warn

    def read(self) -> Progress:
        """What is recorded; an empty progress where nothing is.

        Raises:
            UsageError: a newer release has written the file.
            OSError: it cannot be read, or is damaged and cannot be set aside.
        """
        try:
            return self._load()
        except _DamagedError:
            with locked(self._lock):
                return self._load_or_set_aside()

    def change(self, edit: Callable[[Progress], Progress]) -> tuple[Progress, Progress]:
        """Replace what is recorded by what `edit` makes of it, and return both; raises as `read` does.

        What is new is written when this returns.
        """
        prepare_state_folder(self._folder)
        with locked(self._lock):
            old = self._load_or_set_aside()
            new = edit(old)
            if new is not old:
                write_durably(self._path, _text(new))
            return old, new

    def _load(self) -> Progress:
        try:
            content = read_regular(self._path, MOST_BYTES + 1)
        except FileNotFoundError:
            return Progress()
        return _parsed(content, self._path)

    def _load_or_set_aside(self) -> Progress:
        try:
            return self._load()
        except _DamagedError as damage:
            aside = self._unused_name()
            self._path.rename(aside)
            fields = {"path": str(self._path), "fault": str(damage), "aside": aside.name}
            self._warn(Message("state.damaged", fields))
            return Progress()

    def _unused_name(self) -> Path:
        stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
        path, count = self._folder / f"progress.damaged-{stamp}.json", 1
        while path.exists():
            count += 1
            path = self._folder / f"progress.damaged-{stamp}-{count}.json"
        return path


def _text(progress: Progress) -> str:
    exercises = {name: asdict(record) for name, record in progress.exercises.items()}
    tree = {"schema": SCHEMA, "last": progress.last, "exercises": exercises}
    return json.dumps(tree, indent=1, allow_nan=False) + "\n"


# --- reading, strictly -------------------------------------------------------------------------------------------

NONE = type(None)


class _DamagedError(Exception):
    """The file is not what `_text` writes; says where."""


def _parsed(content: bytes, path: Path) -> Progress:
    try:
        if len(content) > MOST_BYTES:
            raise _DamagedError(f"more than {MOST_BYTES} bytes")
        tree = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise _DamagedError(str(error)) from error
    schema = tree.get("schema") if isinstance(tree, dict) else None
    if isinstance(schema, int) and schema > SCHEMA:
        raise UsageError(Message("state.newer", {"path": str(path), "schema": schema, "known": SCHEMA}))
    kinds = {"schema": (int,), "last": (str, NONE), "exercises": (dict,)}
    fields = _fields(tree, "top level", kinds)
    if schema != SCHEMA:
        raise _DamagedError(f"schema {schema}")
    records = {name: _record(record, name) for name, record in fields["exercises"].items()}
    return Progress(records, fields["last"])


def _record(tree: object, where: str) -> Record:
    if isinstance(tree, dict):
        tree = {"hinted": None, **tree}  # earlier releases did not keep it
    kinds = {"runs": (int,), "points": (float,), "max_points": (float,), "completed": (str, NONE)}
    kinds["hinted"] = (str, NONE)
    fields = _fields(tree, where, {**kinds, "detected": (list,), "mistakes": (dict,), "hints": (list,)})
    fields["mistakes"] = {slug: _met(met, f"{where}, {slug}") for slug, met in fields["mistakes"].items()}
    for name in ("detected", "hints"):
        if not all(isinstance(item, str) for item in fields[name]):
            raise _DamagedError(f"{where}, {name}")
        fields[name] = tuple(fields[name])
    if not all(math.isfinite(fields[name]) for name in ("points", "max_points")):
        raise _DamagedError(f"{where}, points")
    return Record(**fields)


def _met(tree: object, where: str) -> MetMistake:
    return MetMistake(**_fields(tree, where, {"first_seen": (str,), "last_seen": (str,), "overcome": (str, NONE)}))


def _fields(tree: object, where: str, kinds: Mapping[str, tuple[type, ...]]) -> dict[str, Any]:
    """The fields of a JSON object, exactly those of `kinds` and each of its kind."""
    if not isinstance(tree, dict) or set(tree) != set(kinds):
        raise _DamagedError(where)
    for name, value in tree.items():
        if not isinstance(value, kinds[name]):
            raise _DamagedError(f"{where}, {name}")
    return tree
