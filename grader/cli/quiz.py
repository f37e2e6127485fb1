"""`grade quiz`: questions that are due, a few minutes a day; what else there is to do, each action in its module."""

from __future__ import annotations

import sys
from contextlib import closing
from dataclasses import dataclass
from importlib import import_module

import click

from grader.cli.command import Command
from grader.errors import UsageError
from grader.installing import not_installed
from grader.model import Language, Message

# Each action is a function of Options that returns the exit code.
ACTIONS = {
    "due": "grader.cli.quiz_due:due",
    "stats": "grader.cli.quiz_tables:stats",
    "items": "grader.cli.quiz_items:items",
    "plan": "grader.cli.quiz_plan:plan",
    "pause": "grader.cli.quiz_plan:pause",
    "resume": "grader.cli.quiz_plan:resume",
    "undo": "grader.cli.quiz_history:undo",
    "history": "grader.cli.quiz_history:history",
    "forget": "grader.cli.quiz_history:forget",
    "remark": "grader.cli.quiz_history:remark",
    "log": "grader.cli.quiz_log:log",
    "serve": "grader.cli.quiz_serve:serve",
    "export": "grader.cli.quiz_export:export",
    "answer": "grader.cli.quiz_answer:answer",
    "import": "grader.cli.quiz_log:import_logs",
    "preview": "grader.cli.quiz_preview:preview",
    "new": "grader.cli.quiz_preview:new",
    "build": "grader.cli.quiz_author:build",
    "check": "grader.cli.quiz_author:check",
}
WORDS = {
    "answer": 2,
    "history": 1,
    "forget": 1,
    "remark": 1,
    "log": 100,
    "import": 100,
    "preview": 1,
    "new": 1,
    "export": 1,
    "items": 10_000,
}  # at most so many behind the action
# Options that mean something to some actions only; None is the session.
BELONGS: dict[str, set[str | None]] = {
    "port": {"serve"},
    "exam": {"plan"},
    "off": {"plan"},
    "since": {"undo"},
    "ahead": {None},
    "new": {None, "serve"},
    "to": {"export"},
    "variants": {"export"},
    "name": {"export"},
    "gradebook": {"items"},
    "html": {"items"},
}
FORMATS = ("anki", "moodle", "gift", "qti", "csv", "sheet")  # of `export`
DONE = 0


@dataclass(frozen=True)
class Options:
    """What was asked on the command line, still as text."""

    language: Language
    action: str | None
    rest: tuple[str, ...]
    topic: str | None
    new: int | None
    minutes: float
    ahead: bool
    exam: str | None
    off: bool
    since: str | None
    port: int | None
    to: str | None
    variants: int | None
    name: str | None
    gradebook: str | None
    html: str | None
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
        click.Option(["--ahead"], is_flag=True),
        click.Option(["--exam"], metavar="DATE"),
        click.Option(["--off"], is_flag=True),
        click.Option(["--since"], metavar="TIME"),
        click.Option(["--port"], metavar="N", type=int),
        click.Option(["--to"], metavar="FORMAT", shell_complete=lambda *_: list(FORMATS)),
        click.Option(["--variants"], metavar="N", type=int),
        click.Option(["--name"], metavar="NAME"),
        click.Option(["--gradebook"], metavar="DIR", shell_complete=_folders),
        click.Option(["--html"], metavar="FILE"),
        click.Option(["--json"], is_flag=True),
        click.Option(["--course"], metavar="DIR", shell_complete=_folders),
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


def _folders(*asked: object) -> object:
    from grader.cli.candidates import folders  # noqa: PLC0415 - only a shell that completes needs it

    return folders(*asked)  # type: ignore[arg-type]


def quiz(options: Options) -> int:
    """Ask what is due, or do what the action says; the exit code.

    Raises:
        UsageError: an unknown action, item, topic, time or zone, or a log that cannot be used.
        ContentError: the bank is not well written, or was never built.
    """
    if options.action is not None and options.action not in ACTIONS:
        fields = {"action": options.action, "actions": ", ".join(ACTIONS)}
        raise UsageError(Message("quiz.no_action", fields))
    if len(options.rest) > (most := WORDS.get(options.action or "", 0)):
        raise UsageError(Message("quiz.too_much", {"word": options.rest[most]}))
    for name, actions in BELONGS.items():
        if getattr(options, name) not in {None, False} and options.action not in actions:
            where = " ".join(["grade quiz", *filter(None, actions)])
            raise UsageError(Message("schedule.option_elsewhere", {"option": f"--{name}", "command": where}))
    check_range("--new", options.new, 0, 1000)
    check_range("--port", options.port, 0, 65535)
    check_range("--minutes", options.minutes, 0.1, 600)
    check_range("--variants", options.variants, 1, 48)
    try:
        if options.action is None:
            return _session(options)
        module, _, function = ACTIONS[options.action].partition(":")
        return int(getattr(import_module(module), function)(options))
    except ModuleNotFoundError as error:
        if error.name != "fsrs":
            raise
        raise not_installed("fsrs", "quiz") from error


def check_range(option: str, value: float | None, least: float, most: float) -> None:
    """Raise UsageError where a number is none of those that an option takes."""
    if value is not None and not least <= value <= most:
        fields = {"option": option, "value": f"{value:g}", "least": f"{least:g}", "most": f"{most:g}"}
        raise UsageError(Message("quiz.bad_number", fields))


def _session(options: Options) -> int:
    import fsrs  # noqa: F401, PLC0415 - an extra: missed before the first question, not after it

    from grader.cli.quiz_clock import clock, today  # noqa: PLC0415
    from grader.cli.quiz_dialogue import Dialogue  # noqa: PLC0415 - rich
    from grader.cli.quiz_json import JsonPage  # noqa: PLC0415
    from grader.cli.quiz_notices import after, before  # noqa: PLC0415
    from grader.cli.quiz_open import open_log, read_bank  # noqa: PLC0415
    from grader.cli.quiz_pages import ScreenPage  # noqa: PLC0415
    from grader.quiz.due import agenda  # noqa: PLC0415
    from grader.quiz.session import Session  # noqa: PLC0415

    course, bank = read_bank(options)
    check_topic(options.topic, [record["topic"] for record in bank.records])
    _, zone = clock(options)
    sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]  # what is no text is sent back, not a crash
    page = JsonPage(course, options.language) if options.json else ScreenPage(course, options.language)
    with closing(open_log(options)) as log:
        paused = before(options, course, bank, log)
        session = Session(
            bank,
            log,
            lambda: clock(options)[0],
            zone,
            topic=options.topic,
            minutes=options.minutes,
            new=options.new,
            ahead=options.ahead,
        )
        if paused and not session.left and not options.json:
            return DONE  # it was told why nothing is asked
        begun = log.mark()
        Dialogue(session, page, confidence=sys.stdin.isatty() and not options.json).run()
        after(options, course, log, begun)
        agenda(log, course.root, today(options))  # so that the next `grade quiz due` need not wait
    return DONE


def check_topic(topic: str | None, topics: list[str]) -> None:
    """Raise UsageError where a topic is asked for that is none of these."""
    if topic not in {None, *topics}:
        fields = {"topic": str(topic), "topics": ", ".join(dict.fromkeys(topics))}
        raise UsageError(Message("quiz.no_topic", fields))
