"""`grade quiz history|undo|forget|remark`: what was answered, and what is taken back, begun anew or marked anew."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime
from shutil import get_terminal_size
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from rich.cells import cell_len

from grader.cli.quiz_clock import clock, moment_of, today
from grader.cli.quiz_open import open_log, read_bank
from grader.cli.quiz_pages import outcome_text
from grader.cli.quiz_tables import title_of
from grader.course import Course
from grader.errors import UsageError
from grader.model import Message
from grader.quiz.answers import mark
from grader.quiz.arranging import OUTCOMES
from grader.quiz.asked import Outcome
from grader.quiz.events import ANSWERS, Event, blank_event, in_force
from grader.quiz.lock import Bank, Item, filled
from grader.quiz.log import Log
from grader.quiz.undo import answers_since, last_answer, take_back
from grader.report.visible import line, tell

if TYPE_CHECKING:
    from grader.cli.quiz import Options

NOTHING = 1
WIDTH = 100  # cells
OUTCOME, NOTE = 8, 17  # cells of a verdict, and in front of what is said about it


def undo(options: Options) -> int:
    """Take the last answer back, or all since a time; 1 where there is none.

    Raises:
        UsageError: the time is none, or the log cannot be used.
    """
    moment, _ = clock(options)
    with closing(open_log(options, create=False)) as log:
        events = log.events()
        taken = answers_since(events, moment_of(options.since, options)) if options.since else last_answer(events)
        take_back(log, taken, moment)
    if options.json:
        print(json.dumps({"undone": [event.id for event in taken], "items": sorted({e.item for e in taken})}))
    elif options.since and taken:
        print(tell(Message("schedule.undone_since", {"count": len(taken), "since": options.since}), options.language))
    elif taken:
        print(
            tell(
                Message("schedule.undone", {"item": taken[0].item, "raw": _cut(line(taken[0].raw), 40)}),
                options.language,
            )
        )
    else:
        print(tell(Message("quiz.nothing_to_undo"), options.language))
    return 0 if taken else NOTHING


# --- history -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Entry:
    """An answer, and what became of it since."""

    event: Event
    undone: bool
    marked: str  # the outcome that a later marking gave, "" where there is none
    corrected: bool  # whether the question has another meaning now


def history(options: Options) -> int:
    """Print every answer, or those to one question, the oldest first.

    Raises:
        UsageError: nobody ever answered such a question, and the bank has none; or the log cannot be used.
    """
    course, bank = read_bank(options)
    with closing(open_log(options, create=False, reading=True)) as log:
        events = log.events()
    item = options.rest[0] if options.rest else None
    entries = _entries(events, bank, item)
    if item and not entries and item not in bank.items:
        raise UsageError(Message("quiz.no_item", {"item": item}))
    if options.json:
        print(json.dumps([_plain(entry) for entry in entries], ensure_ascii=False))
    elif not entries:
        print(tell(Message("schedule.no_answers"), options.language))
    else:
        _print(entries, course, bank, options, several=item is None)
    return 0


def _entries(events: list[Event], bank: Bank, item: str | None) -> list[_Entry]:
    counting = {event.id for event in in_force(events)}
    marked = {event.undoes: event.outcome for event in events if event.mode == "remark"}
    versions = {record["id"]: record["version"] for record in bank.records}
    return [
        _Entry(
            event,
            event.id not in counting,
            marked.get(event.id, ""),
            versions.get(event.item, event.version) != event.version,
        )
        for event in events
        if event.mode in ANSWERS and item in {None, event.item}
    ]


def _plain(entry: _Entry) -> dict[str, object]:
    event = entry.event
    return {
        "id": event.id,
        "item": event.item,
        "version": event.version,
        "variant": event.variant,
        "mode": event.mode,
        "answered": event.answered,
        "day": event.day,
        "raw": event.raw,
        "understood": event.understood,
        "outcome": event.outcome,
        "marked_anew": entry.marked or None,
        "mistake": event.mistake or None,
        "confidence": event.confidence,
        "hint": bool(event.hint),
        "counts": not entry.undone,
        "corrected_since": entry.corrected,
    }


def _print(entries: list[_Entry], course: Course, bank: Bank, options: Options, *, several: bool) -> None:
    def say(key: str, **fields: str) -> str:
        return tell(Message(f"schedule.{key}", fields), options.language)

    width = min(get_terminal_size().columns, WIDTH)
    last = ""
    for entry in entries:
        event = entry.event
        if event.day != last:
            print(event.day)
            last = event.day
        outcome = say(f"history_{event.outcome}")
        head = f"  {_time(event)}  {outcome}{' ' * (OUTCOME - cell_len(outcome))}" + (
            f"{line(event.item)}  " if several else ""
        )
        mode = "" if event.mode == "scheduled" else "  " + say(f"history_{event.mode}")
        print(head + _cut(line(_said(event, bank, options)), max(10, width - cell_len(head + mode))) + mode)
        notes = [title_of(course, event.mistake, options)] if event.mistake else []
        notes += [say("history_undone")] if entry.undone else []
        notes += [say("history_remarked", outcome=say(f"history_{entry.marked}"))] if entry.marked else []
        notes += [say("history_corrected", version=str(event.version))] if entry.corrected else []
        for note in notes:
            print(" " * NOTE + _cut(note, width - NOTE))


def _said(event: Event, bank: Bank, options: Options) -> str:
    """What was typed; options that were picked are kept in English and shown in the language of the learner."""
    item = bank.items.get(event.item)
    variant = next((each for each in item.variants if each.id == event.variant), None) if item else None
    if item is None or variant is None or (item.typed and event.mode != "options") or item.kind == "recall":
        return event.raw
    language = options.language
    shown = {each: outcome_text(each, language) for each in OUTCOMES} if item.kind == "predict" else {}
    for text in (*item.right, *(wrong.text for wrong in item.wrong)):
        if text is not None:
            shown[filled(text, variant, "en")] = filled(text, variant, language)
    return " | ".join(shown.get(part, part) for part in event.raw.split(" | "))


def _cut(text: str, cells: int) -> str:
    """The text in at most so many cells; Chinese is twice as wide."""
    if cell_len(text) <= cells:
        return text
    kept = ""
    for sign in text:
        if cell_len(kept + sign) >= cells:
            break
        kept += sign
    return kept + "…"


def _time(event: Event) -> str:
    try:
        moment = datetime.fromisoformat(event.answered).astimezone(ZoneInfo(event.zone))
    except (LookupError, ValueError, OSError):  # a zone of another machine
        moment = datetime.fromisoformat(event.answered)
    return f"{moment:%H:%M}"


# --- begun anew, marked anew ---------------------------------------------------------------------------------------


def forget(options: Options) -> int:
    """Begin a question anew: what was answered before no longer counts.

    Raises:
        UsageError: no question is named, or none was answered under that name.
    """
    item = _item_asked(options)
    moment, zone = clock(options)
    with closing(open_log(options, create=False)) as log:
        count = sum(event.item == item for event in in_force(log.events()))
        if not count:
            raise UsageError(Message("schedule.never_answered", {"item": item}))
        event = blank_event("forget", moment, zone, today(options))
        log.append(replace(event, id=log.new_id(moment), item=item))
    print(tell(Message("schedule.forgotten", {"item": item, "count": count}), options.language))
    return 0


def _item_asked(options: Options) -> str:
    if not options.rest:
        raise UsageError(Message("schedule.item_needed", {"action": options.action or ""}))
    return options.rest[0]


def remark(options: Options) -> int:
    """Mark the answers to a typed question anew, with the key that the bank has now.

    Raises:
        UsageError: no question is named, there is none, or it is not typed.
    """
    name = _item_asked(options)
    _, bank = read_bank(options)
    if name not in bank.items:
        raise UsageError(Message("quiz.no_item", {"item": name}))
    item = bank.items[name]
    if not item.offered:  # order and match are read as they were shown
        raise UsageError(Message("quiz.not_typed", {"item": name}))
    with closing(open_log(options, create=False)) as log:
        mine = [event for event in in_force(log.events()) if event.item == name and event.mode != "options"]
        changed = sum(_marked_anew(log, item, event, options) for event in mine)
    fields: dict[str, str | int | float] = {"item": name, "answers": len(mine), "changed": changed}
    print(tell(Message("schedule.remarked", fields), options.language))
    return 0


def _marked_anew(log: Log, item: Item, event: Event, options: Options) -> bool:
    """Whether the answer has another verdict now; it is written down then. Variants that are gone stay as they are."""
    variant = next((each for each in item.variants if each.id == event.variant), None)
    if variant is None or event.version != item.version:
        return False
    marked = mark(item.asked(variant), event.raw)
    if marked.outcome not in {Outcome.RIGHT, Outcome.WRONG} or marked.outcome.value == event.outcome:
        return False
    moment, zone = clock(options)
    mistake = item.wrong[marked.option].mistake if marked.option is not None else ""
    anew = replace(blank_event("remark", moment, zone, today(options)), item=item.id, undoes=event.id, mistake=mistake)
    log.append(replace(anew, id=log.new_id(moment), outcome=marked.outcome.value))
    return True
