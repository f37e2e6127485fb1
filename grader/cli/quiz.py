"""`grade quiz`: questions that are due, a few minutes a day; and what is due, how it goes, and the bank for authors."""

from __future__ import annotations

import json
import os
import sys
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import click

from grader.cli.candidates import folders
from grader.cli.command import Command
from grader.cli.targets import chosen_course
from grader.course import Course
from grader.errors import GraderError, UsageError
from grader.model import Language, Message
from grader.quiz.lock import Bank, Item, Variant, read_lock

if TYPE_CHECKING:
    from grader.quiz.log import Log

FILE = "answers.db"
ACTIONS = ("due", "stats", "items", "answer", "build", "check")
DONE, STALE, DUE = 0, 1, 10


@dataclass(frozen=True)
class Options:
    """What was asked on the command line, still as text."""

    language: Language
    action: str | None
    rest: tuple[str, ...]
    topic: str | None
    new: int | None
    minutes: float
    json: bool
    course: str | None
    now: str | None
    zone: str | None


def command(language: Language) -> Command:
    """The command with its help in `language`."""
    options = [
        click.Option(["--topic"], metavar="TOPIC"),
        click.Option(["--new"], metavar="N", type=int),
        click.Option(["--minutes"], metavar="N", type=float, default=7.0),
        click.Option(["--json"], is_flag=True),
        click.Option(["--course"], metavar="DIR", shell_complete=folders),
        click.Option(["--now"], metavar="TIME", hidden=True),
        click.Option(["--zone"], metavar="ZONE", hidden=True),
    ]
    arguments = [
        click.Argument(["action"], required=False, metavar="[ACTION]", shell_complete=lambda *_: list(ACTIONS)),
        click.Argument(["rest"], nargs=-1, metavar=""),
    ]

    def callback(**given: object) -> int:
        return quiz(Options(language=language, **given))  # type: ignore[arg-type]

    return Command("quiz", language, options, callback, arguments=arguments)


def quiz(options: Options) -> int:
    """Ask what is due, or do what the action says; the exit code.

    Raises:
        UsageError: an unknown action, item, topic, time or zone, or a log that cannot be used.
        ContentError: the bank is not well written, or was never built.
    """
    if options.action is not None and options.action not in ACTIONS:
        fields = {"action": options.action, "actions": ", ".join(ACTIONS)}
        raise UsageError(Message("quiz.no_action", fields))
    if options.rest and options.action != "answer":
        raise UsageError(Message("quiz.too_much", {"word": options.rest[0]}))
    _check_range("--new", options.new, 0, 1000)
    _check_range("--minutes", options.minutes, 0.1, 600)
    course = chosen_course(options.course)
    if options.action in {"build", "check"}:
        from grader.cli.quiz_author import build_bank  # noqa: PLC0415 - runs the bank's code

        return build_bank(course, options.language, check=options.action == "check")
    bank = read_lock(course.root)
    if options.action == "answer":
        return _answer(options, bank)
    with closing(_open_log()) as log:
        return _with_log(options, course, bank, log)


def _check_range(option: str, value: float | None, least: float, most: float) -> None:
    if value is not None and not least <= value <= most:
        fields = {"option": option, "value": f"{value:g}", "least": f"{least:g}", "most": f"{most:g}"}
        raise UsageError(Message("quiz.bad_number", fields))


def _with_log(options: Options, course: Course, bank: Bank, log: Log) -> int:
    moment, zone = _clock(options)
    try:
        if options.action is None:
            import fsrs  # noqa: F401, PLC0415 - an extra: missed before the first question, not after it

            return _session(options, course, bank, log)
        from grader.cli.quiz_tables import Asking, due, items, stats  # noqa: PLC0415

        asking = Asking(bank, log, moment, zone, options.language, options.json)
        if options.action == "due":
            return DUE if due(asking) else DONE
        (stats if options.action == "stats" else items)(asking)
    except ModuleNotFoundError as error:
        if error.name != "fsrs":
            raise
        raise GraderError("fsrs is not installed: pip install 'manyheads[quiz]'") from error
    return DONE


def _session(options: Options, course: Course, bank: Bank, log: Log) -> int:
    from grader.cli.quiz_dialogue import Dialogue  # noqa: PLC0415 - rich
    from grader.cli.quiz_pages import JsonPage, ScreenPage  # noqa: PLC0415
    from grader.quiz.session import Session  # noqa: PLC0415

    topics = list(dict.fromkeys(record["topic"] for record in bank.records))
    if options.topic not in {None, *topics}:
        fields = {"topic": str(options.topic), "topics": ", ".join(topics)}
        raise UsageError(Message("quiz.no_topic", fields))
    zone = _clock(options)[1]
    sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]  # what is no text is sent back, not a crash
    session = Session(
        bank, log, lambda: _clock(options)[0], zone, topic=options.topic, minutes=options.minutes, new=options.new
    )
    page = JsonPage(course, options.language) if options.json else ScreenPage(course, options.language)
    Dialogue(session, page, confidence=sys.stdin.isatty() and not options.json).run()
    return DONE


def _open_log() -> Log:
    from grader.quiz.log import Log, data_folder  # noqa: PLC0415 - sqlite

    return Log(data_folder(os.environ) / FILE)


# --- time ----------------------------------------------------------------------------------------------------------


def _clock(options: Options) -> tuple[datetime, tzinfo]:
    """The moment, and where the learner is."""
    zone = _zone(options.zone)
    if options.now is None:
        return datetime.now(UTC), zone
    try:
        moment = datetime.fromisoformat(options.now)
    except ValueError as error:
        raise UsageError(Message("quiz.bad_time", {"text": options.now})) from error
    return (moment if moment.tzinfo else moment.replace(tzinfo=zone)), zone


def _zone(asked: str | None) -> ZoneInfo:
    """The zone that was asked for, else that of $TZ or of the machine, by name; UTC where it has none."""
    if asked is None:
        local = Path("/etc/localtime")
        linked = str(local.resolve()).partition("zoneinfo/")[2] if local.is_symlink() else ""
        for name in (os.environ.get("TZ", "").lstrip(":"), linked, "UTC"):
            try:
                return ZoneInfo(name)
            except (ValueError, OSError):
                continue
            except LookupError:
                continue
    try:
        return ZoneInfo(asked or "UTC")
    except (LookupError, ValueError, OSError) as error:
        raise UsageError(Message("quiz.no_zone", {"zone": asked or ""})) from error


# --- one answer, for editors and tests -----------------------------------------------------------------------------


def _answer(options: Options, bank: Bank) -> int:
    """Say what the checker thinks of one answer; nothing is kept. 0 right, 1 wrong or sent back."""
    if len(options.rest) != 2:
        raise UsageError(Message("quiz.answer_needs"))
    name, _, number = options.rest[0].partition("@")
    if name not in bank.items:
        raise UsageError(Message("quiz.no_item", {"item": name}))
    item = bank.items[name]
    if not item.typed:
        raise UsageError(Message("quiz.not_typed", {"item": name}))
    variant = _variant(item, number)
    from grader.quiz.answers import Outcome, mark  # noqa: PLC0415
    from grader.report.visible import tell  # noqa: PLC0415

    marked = mark(item.asked(variant), options.rest[1])
    mistake = item.wrong[marked.option].mistake if marked.option is not None else None
    message = tell(marked.message, options.language) if marked.message else None
    if options.json:
        found = {"item": name, "variant": variant.id, "outcome": marked.outcome.value, "understood": marked.understood}
        print(json.dumps({**found, "mistake": mistake, "message": message}, ensure_ascii=False))
    else:
        print(*filter(None, (tell(Message(f"quiz.said_{marked.outcome.value}"), options.language), marked.understood)))
        for line in filter(None, (mistake, message)):
            print(line)
    return DONE if marked.outcome is Outcome.RIGHT else STALE


def _variant(item: Item, number: str) -> Variant:
    """The variant of that number or id, the first one where none is named."""
    for i, variant in enumerate(item.variants):
        if number in {"", str(i), variant.id}:
            return variant
    raise UsageError(Message("quiz.no_variant", {"item": item.id, "variant": number, "most": len(item.variants) - 1}))
