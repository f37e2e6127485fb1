"""How it goes, and one line for each question: `grade quiz stats|items`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from grader.cli.quiz_clock import today
from grader.cli.quiz_open import open_log, read_bank
from grader.course import Course
from grader.model import Message
from grader.quiz.agenda import Agenda
from grader.quiz.events import Event, in_force
from grader.quiz.lock import Bank
from grader.quiz.schedule import recall
from grader.quiz.state import outlines, state_of
from grader.report.visible import line, tell

if TYPE_CHECKING:
    from grader.cli.quiz import Options

_DAYS = 7  # that are looked ahead
_MISTAKES = 5  # that are listed


@dataclass(frozen=True)
class _Found:
    """What the log says today."""

    options: Options
    course: Course
    bank: Bank
    events: list[Event]  # answers that count
    agenda: Agenda

    def say(self, key: str, *, indent: int = 0, **fields: str | int) -> None:
        """Print one sentence."""
        print(" " * indent + tell(Message(f"quiz.{key}", fields), self.options.language))


def _found(options: Options) -> _Found:
    course, bank = read_bank(options)
    with closing(open_log(options, reading=True)) as log:
        events = log.events()
    agenda = Agenda(state_of(events, bank), outlines(bank), today(options))
    return _Found(options, course, bank, in_force(events), agenda)


def stats(options: Options) -> int:
    """Print how many questions are known, what comes in the next days, and which mistakes show."""
    found = _found(options)
    first = [event for event in found.events if event.mode == "scheduled"]
    right = sum(event.outcome == "right" for event in first)
    ahead = _ahead(found.agenda)
    mistakes = Counter(event.mistake for event in first if event.mistake).most_common(_MISTAKES)
    days, begun, items = len({event.day for event in first}), len(found.agenda.known), len(found.bank.records)
    if options.json:
        counts = {"items": items, "begun": begun, "days": days, "answers": len(first), "right": right}
        coming = {day.isoformat(): count for day, count in ahead.items()}
        print(json.dumps({**counts, "ahead": coming, "mistakes": dict(mistakes)}))
        return 0
    found.say("stats_begun", begun=begun, items=items, days=days)
    if first:
        found.say("stats_right", right=right, answers=len(first), share=round(100 * right / len(first)))
    if ahead:
        print(tell(Message("schedule.stats_coming"), options.language))
    for day, count in ahead.items():
        found.say("stats_ahead", indent=2, day=day.isoformat(), count=count)
    if mistakes:
        found.say("stats_mistakes")
        for slug, count in mistakes:
            print(f"  {count:>3}  {title_of(found.course, slug, options)}")
    return 0


def title_of(course: Course, slug: str, options: Options) -> str:
    """What a mistake is called."""
    known = course.mistakes.get(slug)
    return line(known.title.in_language(options.language) if known else slug)


def _ahead(agenda: Agenda) -> dict[date, int]:
    """How many questions fall due on each of the next days; what is overdue counts today."""
    dates = filter(None, map(agenda.when, agenda.known))
    coming = Counter(max(due, agenda.day) for due in dates)
    return {each: coming[each] for each in (agenda.day + timedelta(days=i) for i in range(_DAYS)) if coming[each]}


def items(options: Options) -> int:
    """Print each question: how often it was asked, how often right, when it comes again."""
    found = _found(options)
    rows = [_row(record, found) for record in found.bank.records]
    if options.json:
        print(json.dumps(rows, ensure_ascii=False))
        return 0
    width = max(len(str(row["item"])) for row in rows)
    print(" " * width + "  " + tell(Message("quiz.items_head"), options.language))
    for row in rows:
        seen = f"{row['right']}/{row['asked']}" if row["asked"] else "-"
        print(f"{row['item']!s:{width}}  {row['variants']:>3}  {seen:>6}  {row['due'] or '-'}")
    return 0


def _row(record: Mapping[str, Any], found: _Found) -> dict[str, object]:
    mine = [event for event in found.events if event.item == record["id"] and event.mode == "scheduled"]
    standing, due = found.agenda.known.get(record["id"]), found.agenda.when(record["id"])
    return {
        "item": record["id"],
        "topic": record["topic"],
        "type": record["type"],
        "exercise": record["exercise"],
        "variants": len(record["variants"]),
        "asked": len(mine),
        "right": sum(event.outcome == "right" for event in mine),
        "recall": round(recall(standing, found.agenda.day), 3) if standing else None,
        "held": bool(standing and standing.held),
        "due": due.isoformat() if due else None,
        "mistakes": dict(Counter(event.mistake for event in mine if event.mistake)),
    }
