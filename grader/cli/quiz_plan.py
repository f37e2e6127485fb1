"""`grade quiz plan|pause|resume`: an exam that everything is to be seen before, and time off."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

from grader.cli.quiz_clock import clock, today
from grader.cli.quiz_due import course_root, exam_begun
from grader.cli.quiz_open import open_log
from grader.errors import UsageError
from grader.model import Message
from grader.quiz.agenda import SWEEP_DAYS, Agenda
from grader.quiz.due import agenda
from grader.quiz.events import Mode, blank_event
from grader.quiz.log import Log
from grader.quiz.schedule import learning_day
from grader.report.visible import tell

if TYPE_CHECKING:
    from grader.cli.quiz import Options


def plan(options: Options) -> int:
    """Set, end or show the plan for an exam.

    Raises:
        UsageError: the date is none, or not ahead; no such topic; the log cannot be used.
    """
    day = today(options)
    with closing(open_log(options, reading=options.exam is None and not options.off)) as log:
        found = agenda(log, course_root(options.course), day)
        if options.topic is not None:
            from grader.cli.quiz import check_topic  # noqa: PLC0415 - imported already

            check_topic(options.topic, found.topics)
        if options.exam is not None and options.off:
            raise UsageError(Message("schedule.exam_or_off"))
        if options.exam is not None or options.off:
            exam = "" if options.off else _exam_day(options.exam or "", day).isoformat()
            _note(options, log, "plan", item=options.topic or "", raw=exam)
            found = agenda(log, course_root(options.course), day)
    if options.off and not options.json:
        print(tell(Message("schedule.exam_off"), options.language))
        if not found.exams:
            return 0
    _show(options, found)
    return 0


def _example(day: date) -> str:
    """A date for an exam that lies ahead."""
    return (day + timedelta(weeks=4)).isoformat()


def _exam_day(text: str, today: date) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError as error:
        raise UsageError(Message("schedule.bad_exam", {"text": text})) from error
    if day <= today:
        raise UsageError(Message("schedule.exam_past", {"date": day.isoformat(), "day": today.isoformat()}))
    return day


def _show(options: Options, found: Agenda) -> None:
    if options.json:
        exams = [{"topic": exam.topic or None, "exam": exam.day.isoformat()} for exam in found.exams]
        dates = {item: due.isoformat() if (due := found.when(item)) else None for item in found.known}
        print(json.dumps({"exams": exams, "new_a_day": found.pace, "dates": dates}))
        return
    for exam in found.exams:
        unseen = found.unseen(exam)
        sweep = exam.day - timedelta(days=SWEEP_DAYS)
        fields = {"date": exam.day.isoformat(), "first": max(sweep, found.day).isoformat(), "topic": exam.topic}
        ahead = Message("schedule.exam_of_topic" if exam.topic else "schedule.exam", fields)
        print(tell(ahead if exam.day > found.day else exam_begun(exam, found.day), options.language))
        if exam.day > found.day and unseen:
            print(tell(Message("schedule.exam_pace", {"unseen": unseen, "pace": found.pace}), options.language))
    if not found.exams:
        print(tell(Message("schedule.no_exam", {"date": _example(found.day)}), options.language))


def pause(options: Options) -> int:
    """Ask nothing until `resume`; raises UsageError where the log cannot be used."""
    return _switch(options, "pause")


def resume(options: Options) -> int:
    """Go on after a pause, with dates moved by its length; raises UsageError where the log cannot be used."""
    return _switch(options, "resume")


def _switch(options: Options, mode: Mode) -> int:
    day = today(options)
    with closing(open_log(options)) as log:
        found = agenda(log, course_root(options.course), day)
        if (mode == "pause") == (found.paused is not None):
            fields = {"date": found.paused.isoformat()} if found.paused else {}
            print(tell(Message(f"schedule.{mode}_already", fields), options.language))
            return 0
        _note(options, log, mode)
        found = agenda(log, course_root(options.course), day)
    fields = {"due": str(len(found.due))} if mode == "resume" else {}
    print(tell(Message("schedule.paused_now" if mode == "pause" else "schedule.resumed", fields), options.language))
    return 0


def _note(options: Options, log: Log, mode: Mode, *, item: str = "", raw: str = "") -> None:
    moment, zone = clock(options)
    event = blank_event(mode, moment, zone, learning_day(moment, zone))
    log.append(replace(event, id=log.new_id(moment), item=item, raw=raw))
