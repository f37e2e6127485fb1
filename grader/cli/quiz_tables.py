"""What is due, how it goes, and one line for each question: `grade quiz due|stats|items`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from typing import Any

from grader.model import Language, Message
from grader.quiz.lock import Bank
from grader.quiz.log import Event, Log, in_force
from grader.quiz.schedule import Standing, due_items, learning_day, new_items, recall, standings
from grader.report.visible import tell

_DAYS = 7  # that are looked ahead
_MISTAKES = 5  # that are listed


@dataclass(frozen=True)
class Asking:
    """Whose log, when, and in which form the answer is wanted."""

    bank: Bank
    log: Log
    moment: datetime
    zone: tzinfo
    language: Language
    json: bool

    @property
    def day(self) -> date:
        """The learning day."""
        return learning_day(self.moment, self.zone)

    def say(self, key: str, *, indent: int = 0, **fields: str | int) -> None:
        """Print one sentence."""
        print(" " * indent + tell(Message(f"quiz.{key}", fields), self.language))


def due(asking: Asking) -> bool:
    """Print what is due today; whether anything is."""
    known = standings(asking.log.events(), asking.bank)
    ready = due_items(asking.bank, known, asking.day)
    fresh = new_items(asking.bank, known, asking.day, ready)
    if asking.json:
        print(json.dumps({"learning_day": asking.day.isoformat(), "due": ready, "new": fresh}))
    elif ready:
        asking.say("due_now", due=len(ready), new=len(fresh))
    elif fresh:
        asking.say("none_due_but_new", new=len(fresh))
    else:
        coming = [standing.due for standing in known.values() if standing.due > asking.day]
        asking.say("none_due_until", date=min(coming).isoformat()) if coming else asking.say("none_due")
    return bool(ready)


def stats(asking: Asking) -> None:
    """Print how many questions are known, what comes in the next days, and which mistakes show."""
    events = in_force(asking.log.events())
    known = standings(events, asking.bank)
    first = [event for event in events if event.mode == "scheduled"]
    right = sum(event.outcome == "right" for event in first)
    ahead = _ahead(known, asking.day)
    mistakes = Counter(event.mistake for event in first if event.mistake).most_common(_MISTAKES)
    days = len({event.day for event in first})
    if asking.json:
        found = {"items": len(asking.bank.records), "begun": len(known), "days": days, "answers": len(first)}
        coming = {day.isoformat(): count for day, count in ahead.items()}
        print(json.dumps({**found, "right": right, "ahead": coming, "mistakes": dict(mistakes)}))
        return
    asking.say("stats_begun", begun=len(known), items=len(asking.bank.records), days=days)
    if first:
        asking.say("stats_right", right=right, answers=len(first), share=round(100 * right / len(first)))
    for day, count in ahead.items():
        asking.say("stats_ahead", indent=2, day=day.isoformat(), count=count)
    if mistakes:
        asking.say("stats_mistakes")
        for slug, count in mistakes:
            print(f"  {count:>3}  {slug}")


def _ahead(known: dict[str, Standing], day: date) -> dict[date, int]:
    """How many questions fall due on each of the next days; what is overdue counts today."""
    coming = Counter(max(standing.due, day) for standing in known.values())
    return {each: coming[each] for each in (day + timedelta(days=i) for i in range(_DAYS)) if coming[each]}


def items(asking: Asking) -> None:
    """Print each question: how often it was asked, how often right, when it comes again."""
    events = in_force(asking.log.events())
    known = standings(events, asking.bank)
    rows = [_row(record, events, known.get(record["id"]), asking.day) for record in asking.bank.records]
    if asking.json:
        print(json.dumps(rows, ensure_ascii=False))
        return
    width = max(len(str(row["item"])) for row in rows)
    print(" " * width + "  " + tell(Message("quiz.items_head"), asking.language))
    for row in rows:
        seen = f"{row['right']}/{row['asked']}" if row["asked"] else "-"
        print(f"{row['item']!s:{width}}  {row['variants']:>3}  {seen:>6}  {row['due'] or '-'}")


def _row(record: Mapping[str, Any], events: list[Event], standing: Standing | None, day: date) -> dict[str, object]:
    mine = [event for event in events if event.item == record["id"] and event.mode == "scheduled"]
    return {
        "item": record["id"],
        "topic": record["topic"],
        "type": record["type"],
        "exercise": record["exercise"],
        "variants": len(record["variants"]),
        "asked": len(mine),
        "right": sum(event.outcome == "right" for event in mine),
        "recall": round(recall(standing, day), 3) if standing else None,
        "due": standing.due.isoformat() if standing else None,
        "mistakes": dict(Counter(event.mistake for event in mine if event.mistake)),
    }
