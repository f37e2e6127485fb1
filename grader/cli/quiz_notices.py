"""What a session says before its first question and after its last: time that has passed, help, answers too fast."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from datetime import date, datetime
from typing import TYPE_CHECKING

from rich.text import Text

from grader.cli.quiz_clock import clock, today
from grader.cli.quiz_pages import INDENT, WIDTH, keys_of
from grader.cli.screen import Screen
from grader.course import Course
from grader.model import Language, Message
from grader.quiz.agenda import Agenda
from grader.quiz.events import blank_event, in_force
from grader.quiz.lock import Bank, Item, filled
from grader.quiz.log import Log
from grader.quiz.notices import notices
from grader.quiz.schedule import HELP_DAYS
from grader.quiz.session import Turn, turn_counts
from grader.quiz.state import outlines, state_of
from grader.report.visible import tell
from grader.report.wrap import wrap

if TYPE_CHECKING:
    from grader.cli.quiz import Options

TOO_FAST_MS, TOO_FAST = 1000, 5  # nobody reads five questions in a row in less than a second each
CARDS = 2  # of help, at most, before a session


def before(options: Options, course: Course, bank: Bank, log: Log) -> bool:
    """Say what is to be known before the first question, and show the help for what failed too often.

    Returns:
        Whether there is a pause.

    Raises:
        UsageError: the log cannot be used.
    """
    events = log.events()
    found = Agenda(state_of(events, bank), outlines(bank), today(options))
    page = _Page(options, course)
    for message in notices(found):
        page.tell(message)
    counts = turn_counts(events)
    for name in found.held[:CARDS]:
        item = bank.items[name]
        page.help(item, counts.get(name, 0), _next(found.day))
        moment, zone = clock(options)
        event = blank_event("help", moment, zone, found.day)
        log.append(replace(event, id=log.new_id(moment), item=name))
    return found.paused is not None


def _answer(item: Item, turn: int, language: Language) -> str:
    """The right answer, whole: steps in their order, ends with what they belong to."""
    variant = item.variant(turn)
    right, ends = ([filled(text, variant, language) for text in texts] for texts in (item.right, item.ends))
    if item.kind == "order":
        return " → ".join(right[place] for place in variant.orders[0])
    if item.kind == "match":
        return " · ".join(f"{left}: {end}" for left, end in zip(right, ends, strict=True))
    return " · ".join(keys_of(Turn(item, variant, "scheduled", ()), language))


def _next(day: date) -> str:
    return date.fromordinal(day.toordinal() + HELP_DAYS).isoformat()


def after(options: Options, course: Course, log: Log, begun: int) -> None:
    """Ask whether answers were given on purpose that came faster than questions can be read.

    Args:
        begun: mark of the log before the session.
    """
    if options.json or not sys.stdin.isatty():
        return  # a program may be as fast as it likes
    answers = [event for event in in_force(log.events()[begun:]) if event.mode != "options"]
    fast = [event for event in answers if event.ms < TOO_FAST_MS]
    if len(fast) >= TOO_FAST:
        _, zone = clock(options)
        since = datetime.fromisoformat(fast[0].answered).astimezone(zone)
        _Page(options, course).say("too_fast", count=len(fast), since=f"{since:%H:%M}")


class _Page:
    """Sentences on a terminal, or as JSON for programs."""

    def __init__(self, options: Options, course: Course) -> None:
        self._options = options
        self._course = course
        self._console = Screen(highlight=False, emoji=False)
        self._width = max(20, min(self._console.width, WIDTH))

    def _put(self, text: str, style: str = "", indent: int = 0) -> None:
        for each in wrap(text, self._width - indent):
            self._console.print(Text(" " * indent + each, style=style), no_wrap=True, overflow="ignore", crop=False)

    def say(self, key: str, /, style: str = "", **fields: str | int) -> None:
        """One sentence of this area."""
        self.tell(Message(f"schedule.{key}", fields), style)

    def tell(self, message: Message, style: str = "") -> None:
        """One sentence."""
        text = tell(message, self._options.language)
        if self._options.json:
            fields = {"event": "notice", "notice": message.key.partition(".")[2], "text": text}
            print(json.dumps(fields, ensure_ascii=False), flush=True)
        else:
            self._put(text, style)

    def help(self, item: Item, turn: int, when: str) -> None:
        """A question that failed too often, with its answer and where to learn more."""
        language, variant = self._options.language, item.variant(turn)
        answer = _answer(item, turn, language)
        prompt, reason = (filled(text, variant, language) for text in (item.prompt, item.explain))
        if self._options.json:
            told = {"event": "help", "item": item.id, "prompt": prompt, "key": answer, "reason": reason}
            print(json.dumps(told, ensure_ascii=False), flush=True)
            return
        self.say("help_head", "bold", topic=item.title.in_language(language))
        for text in (prompt, tell(Message("quiz.key", {"key": answer}), language), reason):
            self._put(text, indent=INDENT)
        following = Message("schedule.help_next", {"exercise": item.exercise, "date": when})
        self._put(tell(following, language), "dim", INDENT)
        self._console.print()
