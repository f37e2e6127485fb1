"""`grade hint [EXERCISE]`: the next rung of the ladder, first on a mistake that was detected, then of the exercise.

card of the mistake   seen --> question --> place     what is seen was said by the report
exercise.toml                               --> 1 --> 2 --> ...

Between two rungs there is a pause to think in; a graded answer ends it. There is none after a question: the report has
asked it already.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.candidates import exercise_names, folders
from grader.cli.command import Command
from grader.cli.files import Warn, read_progress, warn
from grader.cli.targets import chosen_course, exercise_name, find_working_copy, typed_place
from grader.course import Course, find_exercises, load_exercise, typed
from grader.errors import UsageError
from grader.model import Exercise, Language, Message
from grader.progress import ProgressFile, Record, hint_wait_s, next_exercise, with_hint
from grader.progress import now as current_time
from grader.report.visible import line, tell
from grader.state import state_folder

if TYPE_CHECKING:
    from rich.console import Console

WIDTH = 100  # cells; longer lines are hard to read
INDENT = 2
MOST = 2000  # characters of a hint


@dataclass(frozen=True)
class Rung:
    """One hint of a ladder."""

    id: str  # kept in the progress: "heads-swapped.question", "heads-swapped.place", "1"
    about: str  # what it is a hint on
    text: str
    is_news: bool = True  # whether the report has not said it already


def command(language: Language) -> Command:
    """The command with its help in `language`."""
    options = [
        click.Option(["--again"], is_flag=True),
        click.Option(["--no-pause"], is_flag=True),
        click.Option(["--course"], metavar="DIR", shell_complete=folders),
        click.Option(["--now"], metavar="TIME", hidden=True),
    ]
    exercise = click.Argument(["exercise"], required=False, metavar="[EXERCISE]", shell_complete=exercise_names)
    return Command("hint", language, options, partial(hint, language), arguments=[exercise])


def hint(
    language: Language, exercise: str | None, *, again: bool, no_pause: bool, course: str | None, now: str | None
) -> int:
    """Print the next rung, or with `again` those that were shown already.

    Args:
        no_pause: do not ask for a pause after the last rung.
        now: the time as text, in place of the clock's.

    Raises:
        UsageError: there is no such exercise, or no working copy here.
    """
    chosen = chosen_course(course)
    asked, state = _asked(chosen, exercise, language)
    if again:
        hints = seen_hints(chosen, asked, state, language, say=warn(language))
    else:
        when = now or current_time()
        hints = next_hint(chosen, asked, state, language, when=when, pause=not no_pause, say=warn(language))
    from grader.cli.screen import Screen  # noqa: PLC0415 - rich, once everything is known

    page = HintPage(Screen(highlight=False, emoji=False), language)
    page.head(asked)
    page.rungs(hints)
    page.end(hints, typed(f"grade hint {asked.name}", chosen))
    return 0


@dataclass(frozen=True)
class Hints:
    """What of a ladder is shown now."""

    ladder: Sequence[Rung]
    shown: Sequence[Rung]
    left: Sequence[Rung]  # those that nobody has seen yet
    wait_s: int = 0  # until the next one may be shown


def seen_hints(course: Course, exercise: Exercise, state: Path, language: Language, *, say: Warn) -> Hints:
    """The rungs that were shown already; raises UsageError where what was shown cannot be read.

    Args:
        say: receives what the user has to be told.
    """
    return _hints(course, exercise, read_progress(state, say).record(exercise.name), language)


def _hints(course: Course, exercise: Exercise, record: Record, language: Language) -> Hints:
    ladder = rungs(course, exercise, record, language)
    seen = [rung for rung in ladder if rung.id in record.hints]
    return Hints(ladder, seen, [rung for rung in ladder if rung.id not in record.hints])


def next_hint(
    course: Course, exercise: Exercise, state: Path, language: Language, *, when: str, pause: bool, say: Warn
) -> Hints:
    """The next rung, recorded as shown at `when`; none during a pause. Raises as `seen_hints` does."""
    record = read_progress(state, say).record(exercise.name)
    hints = _hints(course, exercise, record, language)
    wait_s = hint_wait_s(record, when) if pause else 0
    if wait_s or not hints.left:
        return Hints(hints.ladder, (), hints.left, wait_s if hints.left else 0)
    _remember(state, exercise.name, hints.left[0], when, say)
    return Hints(hints.ladder, hints.left[:1], hints.left[1:])


def rungs(course: Course, exercise: Exercise, record: Record, language: Language) -> list[Rung]:
    """The ladder: question and place of each mistake that was detected last, then the hints of the exercise."""
    ladder = []
    for mistake in (course.mistakes[slug] for slug in record.detected if slug in course.mistakes):
        title = {"title": mistake.title.in_language(language)}
        for part, text in (("question", mistake.question), ("place", mistake.place)):
            about = tell(Message(f"cli.hint_{part}", title), language)
            ladder.append(Rung(f"{mistake.slug}.{part}", about, text.in_language(language), part != "question"))
    about = tell(Message("cli.hint_own"), language)
    ladder += [Rung(str(i), about, text.in_language(language)) for i, text in enumerate(exercise.hints, 1)]
    return ladder


def _asked(course: Course, text: str | None, language: Language) -> tuple[Exercise, Path]:
    """The exercise that is meant, and the state folder of the copy that it lies in."""
    if text is not None and (os.sep in text or os.path.lexists(text)):
        found = find_exercises(course, typed_place(course, text))
        if len(found) > 1:
            raise UsageError(Message("cli.hint_for_one", {"path": text, "example": found[0][0].name}))
        exercise, file = found[0]
        return exercise, state_folder(file, exercise.name)
    asked = exercise_name(course, text) if text is not None else None  # first: it says which exercises there are
    copy = find_working_copy(course)
    name = asked or copy.current
    if name is None:
        progress = read_progress(copy.state, warn(language))
        name = next_exercise(progress, course.names) or progress.last or course.names[-1]
    return load_exercise(course, name), copy.state


def _remember(state: Path, exercise: str, rung: Rung, when: str, say: Warn) -> None:
    """Record that a rung is shown; where that cannot be done, it is shown all the same."""
    since = when if rung.is_news else None
    try:
        ProgressFile(state, say).change(partial(with_hint, exercise=exercise, rung=rung.id, when=since))
    except OSError as error:
        fields = {"path": str(error.filename or state), "reason": error.strerror or str(error)}
        say(Message("cli.hint_not_recorded", fields))


class HintPage:
    """Hints on a console, each wrapped by us: rich would break Chinese in the wrong places."""

    def __init__(self, console: Console, language: Language) -> None:
        self._console = console
        self._language = language
        self._width = max(20, min(console.width, WIDTH))

    def _put(self, text: str, indent: int = 0, style: str = "") -> None:
        from grader.report.wrap import wrap  # noqa: PLC0415 - rich

        for each in wrap(text, self._width - indent):
            text = " " * indent + each
            self._console.print(text, style=style, markup=False, no_wrap=True, overflow="ignore", crop=False)

    def _say(self, key: str, **fields: str | int) -> None:
        self._put(tell(Message(f"cli.hint_{key}", fields), self._language))

    def head(self, exercise: Exercise) -> None:
        """Which exercise it is."""
        self._put(f"{exercise.name}  {line(exercise.title.in_language(self._language))}", style="bold")

    def rungs(self, hints: Hints) -> None:
        """The hints that are shown, each under what it is about."""
        for rung in hints.shown:
            self._put("")
            place = hints.ladder.index(rung) + 1
            self._say("heading", place=place, count=len(hints.ladder), about=rung.about)
            self._put(line(rung.text, MOST), INDENT)

    def wait(self, seconds: int) -> None:
        """That the next hint is not due yet."""
        self._say("wait", seconds=seconds)

    def end_with_key(self, hints: Hints, key: str) -> None:
        """What may be pressed next, where hints are asked for by a key."""
        self._put("")
        if hints.wait_s:
            self.wait(hints.wait_s)
        elif hints.left:
            self._say("more")
            self._put(key, INDENT)
        else:
            self._say("all")

    def end(self, hints: Hints, command: str) -> None:
        """What may be typed next; the command stands on a line of its own, so that it can be copied."""
        self._put("")
        if hints.wait_s:
            self.wait(hints.wait_s)
            self._say("at_once")
            command += " --no-pause"
        elif hints.left:
            self._say("more" if hints.shown else "none_yet")
        else:
            self._say("last" if hints.shown else "all_seen")
            command += " --again"
        self._put(command, INDENT)
