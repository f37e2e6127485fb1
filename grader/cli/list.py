"""`grade list`: each exercise with its state, best score and mistakes, then what to do next."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

import click

from grader.cli.candidates import files, folders
from grader.cli.command import Command
from grader.cli.files import read_progress, warn, write_asked
from grader.cli.quiz_due import due_count
from grader.cli.samples import release_around, released_exercises
from grader.cli.targets import chosen_course, find_working_copy
from grader.course import Course, installed_course, shown_path
from grader.model import Language, Message, Mistake, Text
from grader.progress import Progress, Record, next_exercise
from grader.report.sentences import number
from grader.report.visible import line, tell
from grader.state import STATE

if TYPE_CHECKING:
    from rich.console import Console

STDOUT = "-"
SCHEMA = 1
GAP = 2  # cells between two columns
NUMBERS = ("best", "met", "overcome")  # columns that are flush right


def command(language: Language) -> Command:
    """The command with its help in `language`."""
    options = [
        click.Option(["--json"], metavar="FILE|-", is_flag=False, flag_value=STDOUT, shell_complete=files),
        click.Option(["--course"], metavar="DIR", shell_complete=folders),
    ]
    return Command("list", language, options, lambda json, course: list_exercises(language, json, course))


def list_exercises(language: Language, where: str | None, course: str | None) -> int:
    """Print the table, or write it as JSON to the file `where`.

    Raises:
        UsageError: there are no exercises here, or the progress cannot be read.
        ContentError: an exercise is not well written.
    """
    if course is None and (release := release_around(())) is not None:
        listed, exercises, state = Listed.of_release(release), release / "exercises", release / STATE
        due = due_count(installed_course())  # `grade quiz` asks of its bank there as well, never of a folder's
    else:
        chosen = chosen_course(course)
        copy = find_working_copy(chosen)
        listed, exercises, state = Listed.of_course(chosen), copy.exercises, copy.state
        due = due_count(chosen.root)
    progress = read_progress(state, warn(language))
    if where == STDOUT:
        print(_json(listed, progress, due), end="")
    elif where is not None:
        write_asked(Path(where), _json(listed, progress, due), "--json")
    else:
        from grader.cli.screen import Screen  # noqa: PLC0415 - rich, for people only

        ListPage(Screen(highlight=False, emoji=False), language, listed).print(progress, exercises, due)
    return 0


def _state(record: Record) -> str:
    if record.completed is not None:
        return "complete"
    return "started" if record.runs else "not_started"


@dataclass(frozen=True)
class Listed:
    """What is listed.

    Attributes:
        titles: of the exercises by name, in order.
        mistakes: by slug; in a release none is named.
    """

    titles: Mapping[str, Text]
    mistakes: Mapping[str, Mistake]

    @classmethod
    def of_course(cls, course: Course) -> Self:
        """The exercises of a course."""
        return cls({name: exercise.title for name, exercise in course.exercises.items()}, course.mistakes)

    @classmethod
    def of_release(cls, release: Path) -> Self:
        """The exercises of a release, whatever the installed course has."""
        return cls({name: one.title for name, one in released_exercises(release).items()}, {})


# --- for programs ------------------------------------------------------------------------------------------------


def _json(listed: Listed, progress: Progress, due: int | None) -> str:
    exercises = [_plain(listed, name, progress.record(name)) for name in listed.titles]
    following = next_exercise(progress, list(listed.titles))
    tree = {"schema": SCHEMA, "next": following, "quiz_due": due, "exercises": exercises}
    return json.dumps(tree, indent=2) + "\n"


def _plain(listed: Listed, name: str, record: Record) -> dict[str, object]:
    mistakes = [
        {"slug": slug, "title": asdict(listed.mistakes[slug].title) if slug in listed.mistakes else None, **asdict(met)}
        for slug, met in record.mistakes.items()
    ]
    return {
        "exercise": name,
        "title": asdict(listed.titles[name]),
        "state": _state(record),
        "runs": record.runs,
        "points": record.points if record.runs else None,
        "max_points": record.max_points if record.runs else None,
        "completed": record.completed,
        "hints_shown": len(record.hints),
        "mistakes": mistakes,
    }


# --- for people --------------------------------------------------------------------------------------------------


class ListPage:
    """The table on a console; a title gets a column where there is room, else a line of its own."""

    def __init__(self, console: Console, language: Language, listed: Listed) -> None:
        self._console = console
        self._language = language
        self._listed = listed

    def _say(self, key: str, **fields: str | int) -> str:
        return tell(Message(f"cli.list_{key}", fields), self._language)

    def _put(self, text: str, style: str = "") -> None:
        self._console.print(text.rstrip(), style=style, markup=False, no_wrap=True, overflow="ignore", crop=False)

    def print(self, progress: Progress, exercises: Path, due: int | None) -> None:
        """Everything, for the copy whose exercise folders lie in `exercises`.

        Args:
            due: quiz questions that are due today; None where there is nothing to say of them.
        """
        records = {name: progress.record(name) for name in self._listed.titles}
        self._print_table(records)
        self._print_mistakes({name: record for name, record in records.items() if record.mistakes})
        self._put("")
        name = next_exercise(progress, list(self._listed.titles))
        if name is None:
            self._put(self._say("all_complete"))
        else:
            folder = shown_path(Path(os.path.relpath(exercises / name)))
            self._put(self._say("next", folder=folder))
        if due:
            self._put(self._say("due", count=due))

    def _print_table(self, records: Mapping[str, Record]) -> None:
        titles = {name: line(self._listed.titles[name].in_language(self._language)) for name in records}
        columns = ["exercise", "title", "state", *NUMBERS]
        rows = [[self._say(f"head_{column}") for column in columns]]
        rows += [[name, titles[name], *self._row(record)] for name, record in records.items()]
        right = [columns.index(column) for column in NUMBERS]
        lines = _aligned(rows, right)
        narrow = _width(lines[0]) > self._console.width
        if narrow:
            lines = _aligned([[row[0], *row[2:]] for row in rows], [place - 1 for place in right])
        self._put(lines[0], "bold")
        for text, title in zip(lines[1:], titles.values(), strict=True):
            self._put(text)
            if narrow:
                self._put("  " + title, "dim")

    def _row(self, record: Record) -> list[str]:
        best = f"{number(record.points)} / {number(record.max_points)}" if record.runs else "-"
        overcome = sum(met.overcome is not None for met in record.mistakes.values())
        met = [str(len(record.mistakes)), str(overcome)] if record.mistakes else ["-", "-"]
        return [self._say(_state(record)), best, *met]

    def _print_mistakes(self, records: Mapping[str, Record]) -> None:
        if not records:
            return
        from grader.report.wrap import wrap  # noqa: PLC0415 - rich

        words = {met: self._say(met) for met in ("overcome", "open")}
        indent = 4 + max(map(_width, words.values())) + GAP
        self._put("")
        self._put(self._say("mistakes"), "bold")
        for name, record in records.items():
            self._put("  " + name)
            for slug, met in record.mistakes.items():
                word = words["overcome" if met.overcome else "open"]
                start = "    " + word + " " * (indent - 4 - _width(word))
                for each in wrap(self._title(slug), self._console.width - indent):
                    self._put(start + each)
                    start = " " * indent

    def _title(self, slug: str) -> str:
        known = self._listed.mistakes.get(slug)
        return line(known.title.in_language(self._language) if known else slug)


def _aligned(rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> list[str]:
    """The rows as lines, every column as wide as its widest cell; those of `right` are flush right."""
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = []
        for place, (cell, width) in enumerate(zip(row, widths, strict=True)):
            space = " " * (width - _width(cell))
            cells.append(space + cell if place in right else cell + space)
        lines.append((" " * GAP).join(cells))
    return lines


def _width(text: str) -> int:
    from rich.cells import cell_len  # noqa: PLC0415 - Chinese is twice as wide

    return cell_len(text)
