"""Opens what the actions of `grade quiz` work on: the learner's log, and the bank of the course.

exercises/… --grade--> .manyheads/progress.json --mistakes of late--> log: their questions are called
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from grader.cli.language import environment_language
from grader.cli.quiz_clock import Clocked, clock, today
from grader.errors import UsageError
from grader.model import Message
from grader.quiz.events import Event, blank_event
from grader.quiz.log import Log, data_folder
from grader.quiz.schedule import learning_day
from grader.report.visible import tell

if TYPE_CHECKING:
    from grader.cli.quiz import Options
    from grader.course import Course
    from grader.quiz.lock import Bank

FILE = "answers.db"
STATE, PROGRESS = ".manyheads", "progress.json"
_LATE_DAYS = 30  # a mistake in code that was not seen for longer calls no questions


def open_log(options: Clocked, *, create: bool = True, reading: bool = False) -> Log:
    """The learner's log, with the mistakes that grading in this folder has shown of late.

    Args:
        create: make it where there is none.
        reading: nothing is to be answered, so a disk that cannot be written is said in one line, and is no obstacle.

    Raises:
        UsageError: the log cannot be used; or there is none, and none is to be made.
    """
    path = data_folder(os.environ) / FILE
    if not create and not path.exists():
        raise UsageError(Message("schedule.no_log", {"path": str(path)}))
    log = Log(path, reading=reading)
    if not reading:
        log.assert_writable()
    if log.closed:
        told = Message("quiz.only_read", {"path": str(path), "reason": log.closed})
        print(tell(told, getattr(options, "language", environment_language(os.environ))), file=sys.stderr)
        return log
    if log.copy:
        print(
            tell(Message("schedule.migrated", {"path": str(log.copy)}), environment_language(os.environ)),
            file=sys.stderr,
        )
    if progress := _progress(Path.cwd()):
        with suppress(OSError, UsageError):  # whatever the file is worth, the quiz goes on without it
            _note_mistakes(log, progress, options)
    return log


def _progress(here: Path) -> Path | None:
    """The state folder of the exercises that the working directory lies in, where something was graded."""
    return next((each / STATE for each in (here, *here.parents) if (each / STATE / PROGRESS).is_file()), None)


def _note_mistakes(log: Log, folder: Path, options: Clocked) -> None:
    """Write down each mistake of late, once for each day on which it was seen."""
    status = (folder / PROGRESS).stat()
    stamp = f"{folder} {status.st_mtime_ns} {status.st_size} {today(options)}"
    if log.computed("progress", since=log.mark()) == stamp:
        return
    from grader.progress import ProgressFile  # noqa: PLC0415 - only where something was graded

    mark, events = log.mark(), log.events()
    noted = {(event.item, event.mistake, event.day) for event in events if event.mode == "code"}
    seen = [
        (exercise, slug, met.last_seen)
        for exercise, record in ProgressFile(folder, lambda _: None).read().exercises.items()
        for slug, met in record.mistakes.items()
    ]
    for event in _shown(seen, options):
        if (event.item, event.mistake, event.day) not in noted:
            log.append(replace(event, id=log.new_id(datetime.fromisoformat(event.answered))))
            mark = log.mark()
    log.keep_computed("progress", mark, stamp)


def _shown(seen: Iterable[tuple[str, str, str]], options: Clocked) -> Iterable[Event]:
    now, zone = clock(options)
    for exercise, slug, last in sorted(seen, key=lambda each: each[2]):
        with suppress(ValueError):
            moment = datetime.fromisoformat(last).astimezone(UTC)
            if now - moment <= timedelta(days=_LATE_DAYS):
                day = learning_day(moment, zone)
                yield replace(blank_event("code", moment, zone, day), item=exercise, mistake=slug)


def read_bank(options: Options) -> tuple[Course, Bank]:
    """The course, and its frozen questions.

    Raises:
        UsageError: the folder is no course.
        ContentError: the bank was never built, or is not what a build writes.
    """
    from grader.cli.targets import chosen_course  # noqa: PLC0415
    from grader.quiz.lock import read_lock  # noqa: PLC0415

    course = chosen_course(options.course)
    return course, read_lock(course.root)
