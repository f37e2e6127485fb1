"""`grade quiz due`: what is due, fast enough for a prompt; and how many, for `grade list`."""

from __future__ import annotations

import json
import os
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from grader.cli.quiz_clock import today
from grader.cli.quiz_open import FILE, open_log
from grader.errors import ContentError, GraderError, UsageError
from grader.model import Message
from grader.quiz.due import agenda
from grader.quiz.log import data_folder
from grader.quiz.state import Exam
from grader.report.visible import tell

if TYPE_CHECKING:
    from grader.cli.quiz import Options
    from grader.quiz.agenda import Agenda

NOTHING, DUE = 0, 10


def due(options: Options) -> int:
    """Print what is due today; 10 if anything is, else 0.

    Raises:
        UsageError: the log cannot be used, or the folder is no course.
        ContentError: the bank was never built.
    """
    with closing(open_log(options, reading=True)) as log:
        found = agenda(log, course_root(options.course), today(options))
    if options.topic is not None:
        from grader.cli.quiz import check_topic  # noqa: PLC0415 - imported already

        check_topic(options.topic, found.topics)
    fresh = found.new(found.due)
    if options.json:
        _print_json(found, fresh)
    else:
        for message in told(found, fresh):
            print(tell(message, options.language))
    return DUE if found.due or found.held else NOTHING


def course_root(asked: str | None) -> Path:
    """The folder of the course; raises UsageError where `asked` is none."""
    from grader.course import installed_course, load_course  # noqa: PLC0415

    return load_course(Path(asked)).root if asked else installed_course()


def due_count(root: Path) -> int | None:
    """How many questions are due today, for another page; None where nobody has answered any, or nobody can say.

    Cheap: opens one file that exists, makes none, and imports neither fsrs nor the bank unless something has changed
    since it was asked last. `grade list` may call it on each run; `root` is the folder of the course.
    """

    class Now:
        now = zone = None

    if not (data_folder(os.environ) / FILE).is_file():
        return None
    try:
        with closing(open_log(Now())) as log:
            found = agenda(log, root, today(Now()))
    except (UsageError, ContentError, GraderError, ModuleNotFoundError):
        return None
    return len(found.due) + len(found.held)


def _print_json(found: Agenda, fresh: list[str]) -> None:
    tree = {
        "learning_day": found.day.isoformat(),
        "due": found.due,
        "new": fresh,
        "waiting": found.waiting,
        "held": found.held,
        "paused": found.paused.isoformat() if found.paused else None,
    }
    print(json.dumps(tree))


def told(found: Agenda, fresh: list[str]) -> list[Message]:
    """What is due, in sentences."""
    if found.paused:
        return [Message("schedule.paused", {"date": found.paused.isoformat()})]
    said = []
    if found.away < -1 and found.newest:
        said.append(Message("schedule.clock_back", {"date": found.newest.isoformat(), "day": found.day.isoformat()}))
    dates = [each for item in found.known if (each := found.when(item)) and each > found.day]
    if found.due:
        said.append(Message("schedule.due_now", {"due": len(found.due), "new": len(fresh)}))
    elif fresh:
        said.append(Message("schedule.none_due_but_new", {"new": len(fresh)}))
    elif dates:
        said.append(Message("schedule.none_due_until", {"date": min(dates).isoformat()}))
    else:
        said.append(Message("schedule.none_due"))
    if found.waiting:
        said.append(Message("schedule.waiting", {"count": found.waiting, "date": found.caught_up.isoformat()}))
    if found.called:
        said.append(Message("schedule.called", {"count": len(found.called)}))
    if found.held:
        said.append(Message("schedule.held", {"count": len(found.held)}))
    said += [exam_begun(exam, found.day) for exam in found.exams if exam.day <= found.day]
    return said


def exam_begun(exam: Exam, day: date) -> Message:
    """That an exam is today, or over."""
    return Message("schedule.exam_today" if exam.day == day else "schedule.exam_over", {"date": exam.day.isoformat()})
