"""`grade watch [EXERCISES]`: grades the current exercise each time its file is saved, and goes on to the next."""

from __future__ import annotations

import contextlib
import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from grader.cli.candidates import exercise_folders, folders
from grader.cli.command import Command
from grader.cli.samples import release_around
from grader.cli.targets import Target, chosen_course, find_targets
from grader.course import Course
from grader.errors import UsageError
from grader.installing import not_installed
from grader.model import Language, Message

if TYPE_CHECKING:
    from grader.watch.terminal import Terminal


@dataclass(frozen=True)
class Options:
    """What was asked on the command line."""

    language: Language
    exercises: tuple[str, ...]
    no_pause: bool
    course: str | None


def command(language: Language) -> Command:
    """The command with its help in `language`."""
    options = [
        click.Option(["--no-pause"], is_flag=True),
        click.Option(["--course"], metavar="DIR", shell_complete=folders),
    ]
    paths = click.Argument(["exercises"], nargs=-1, metavar="[EXERCISES]...", shell_complete=exercise_folders)

    def callback(**given: object) -> int:
        return watch(Options(language=language, **given))  # type: ignore[arg-type]

    return Command("watch", language, options, callback, arguments=[paths])


def watch(options: Options) -> int:
    """Watch until somebody quits.

    Raises:
        UsageError: no exercise is meant, or watchfiles is not installed.
        ContentError, GraderError: nothing that the student can change.
    """
    if options.course is None and release_around(options.exercises) is not None:
        raise UsageError(Message("watch.in_release"))
    course = chosen_course(options.course)
    targets = find_targets(course, options.exercises, None)
    from grader.sandbox.launch import is_installed  # noqa: PLC0415

    if not is_installed("watchfiles"):
        raise not_installed("watchfiles", "watch")
    if sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb":
        from grader.watch.terminal import Terminal  # noqa: PLC0415 - not everywhere is one

        with Terminal() as terminal:
            _watch(options, course, targets, terminal)
    else:
        _watch(options, course, targets, None)
    return 0


def _watch(options: Options, course: Course, targets: list[Target], terminal: Terminal | None) -> None:
    from grader.cli.watch_keys import Keys  # noqa: PLC0415
    from grader.cli.watch_pages import LinePage, ScreenPage  # noqa: PLC0415 - rich
    from grader.cli.watch_session import Session  # noqa: PLC0415
    from grader.watch.changes import Changes  # noqa: PLC0415
    from grader.watch.events import Events  # noqa: PLC0415

    with contextlib.ExitStack() as stack:
        changes = stack.enter_context(Changes(list(dict.fromkeys(target.file.parent for target in targets))))
        events = Events(changes, terminal)
        if terminal is None:
            stack.enter_context(Session(course, targets, options.language, LinePage(options.language), events)).run()
            return
        screen = ScreenPage(course, options.language, terminal, targets[0].home.parent.parent)
        session = stack.enter_context(Session(course, targets, options.language, screen, events))
        session.keys = Keys(session, screen, terminal, pause=not options.no_pause)
        session.run()
