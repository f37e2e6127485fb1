"""Where `grade watch` shows how things stand: a screen that is drawn anew, or where nobody sits, a line each time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from rich.cells import cell_len
from rich.console import Console

from grader.cli.screen import Screen
from grader.course import Course
from grader.model import Exercise, GradeReport, Language, Message, Mistake, Verdict
from grader.report.compact import print_compact, score_words
from grader.report.sentences import number
from grader.report.terminal import Page as Lines
from grader.report.visible import line, tell
from grader.watch.terminal import Terminal

KEYS = ("next", "previous", "hint", "report", "list", "reset", "quiz", "quit")
GAP = 3  # cells between two keys


@dataclass(frozen=True)
class View:
    """How things stand with one exercise."""

    exercise: Exercise
    report: GradeReport | None = None  # None while there is none yet
    trouble: Message | None = None  # why there can be none
    graded: bool = True  # whether it is, when its file is saved; not without the package that it needs
    overcome: Sequence[Mistake] = ()
    before: View | None = None  # the exercise that was completed just now, and led here
    complete: int = 0
    count: int = 0


class WatchPage(Protocol):
    """What the command shows."""

    def show(self, view: View) -> None:
        """How things stand now."""

    def note(self, *messages: Message) -> None:
        """Sentences beside it, until something else happens."""

    def busy(self) -> None:
        """A grading takes its time."""


class LinePage:
    """A line for each verdict, for a log or a pipe."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._told: View | None = None  # the completed exercise that was told of

    def show(self, view: View) -> None:
        """Print the verdict, and below it what was overcome."""
        if view.before is not None and view.before is not self._told and view.before.report is not None:
            self._told = view.before
            self._put(view.before.exercise.name, *score_words(view.before.report, self._language))
            self._overcome(view.before)
            self._put(tell(Message("watch.now", {"exercise": view.exercise.name}), self._language))
        if view.trouble is not None:
            self._put(view.exercise.name, tell(view.trouble, self._language))
        elif view.report is not None:
            self._put(view.exercise.name, *score_words(view.report, self._language))
            self._overcome(view)

    def _overcome(self, view: View) -> None:
        for mistake in view.overcome:
            title = {"title": mistake.title.in_language(self._language)}
            self._put(view.exercise.name, tell(Message("report.overcome", title), self._language))

    def note(self, *messages: Message) -> None:
        """Print them."""
        for message in messages:
            self._put(tell(message, self._language))

    def busy(self) -> None:
        """Nothing: nobody waits here."""

    @staticmethod
    def _put(*parts: str) -> None:
        print(*map(line, parts), sep="  ", flush=True)


class ScreenPage:
    """The whole screen of a terminal; what does not fit is left to the report."""

    def __init__(self, course: Course, language: Language, terminal: Terminal, exercises: Path) -> None:
        self._course = course
        self._language = language
        self._terminal = terminal
        self._exercises = exercises
        self._lock = threading.RLock()  # `busy` comes from a timer
        self._view: View | None = None
        self._notes: tuple[Message, ...] = ()
        self._asks = False  # whether the note is a question
        self._busy = False
        self._sheet: Callable[[Console], None] | None = None
        self._first = 0  # line of the sheet at the top

    # --- what is shown -----------------------------------------------------------------------------------------

    def show(self, view: View) -> None:
        """How things stand now; a sheet that lies over it is taken away."""
        with self._lock:
            self._view, self._sheet = view, None
            self.note()

    def note(self, *messages: Message) -> None:
        """Show these sentences above the keys until something else is shown; called without any, it clears them."""
        with self._lock:
            self._notes, self._asks, self._busy = messages, False, False
            self.draw()

    def ask(self, question: Message) -> None:
        """A question above the keys."""
        with self._lock:
            self.note(question)
            self._asks = True

    @property
    def asking(self) -> bool:
        """Whether the question stands there still."""
        return self._asks

    def busy(self) -> None:
        """That something is being graded."""
        with self._lock:
            self._busy = True
            self.draw()

    def lay(self, sheet: Callable[[Console], None]) -> None:
        """Lay a sheet over it, which can be scrolled."""
        with self._lock:
            self._sheet, self._first = sheet, 0
            self.note()

    def scroll(self, key: str) -> bool:
        """Whether a sheet lies there and the key scrolls it; any other key takes it away."""
        with self._lock:
            if self._sheet is None:
                return False
            rows = max(1, self._terminal.size()[1] - 3)
            steps = {"up": -1, "down": 1, "k": -1, "j": 1, " ": rows, "page down": rows, "page up": -rows}
            if key not in steps:
                self._sheet = None
            else:
                self._first += steps[key]  # `draw` keeps it within the sheet
            self.draw()
            return key in steps

    @property
    def laid(self) -> bool:
        """Whether a sheet lies there."""
        return self._sheet is not None

    # --- drawing -----------------------------------------------------------------------------------------------

    def draw(self) -> None:
        """Draw what is shown for the terminal as large as it is now."""
        with self._lock:
            columns, rows = self._terminal.size()
            footer = self._footer(columns)[-max(1, rows - 1) :]
            room = max(0, rows - len(footer) - 1)
            body = self._sheet_lines(columns, room) if self._sheet else self._body(columns, room)
            body = body[:room]
            gap = [""] * (rows - len(body) - len(footer))
            self._terminal.draw([*body, *gap, *footer][:rows])

    def _sheet_lines(self, columns: int, room: int) -> list[str]:
        assert self._sheet is not None  # noqa: S101 - asked by `draw` only then
        lines = _printed(self._sheet, columns)
        self._first = max(0, min(self._first, len(lines) - room))
        return lines[self._first :]

    def _body(self, columns: int, room: int) -> list[str]:
        """The longest form that fits."""
        view = self._view
        if view is None:
            return []
        for example in (True, False):
            lines = _printed(partial(self._print, view=view, example=example), columns)
            if len(lines) <= room:
                return lines
        kept = max(0, room - 1)
        more = tell(Message("watch.more", {"count": len(lines) - kept}), self._language)
        return [*lines[:kept], *_printed(lambda console: Lines(console, self._language).paragraph(more), columns)]

    def _print(self, console: Console, *, view: View, example: bool) -> None:
        page = Lines(console, self._language)
        if view.before is not None and view.before.report is not None:
            self._print_done(page, view.before, view.before.report)
        if view.report is None or view.trouble is not None:
            title = line(view.exercise.title.in_language(self._language))
            page.put((view.exercise.name, "bold"), ("  " + title, ""))
            page.say(view.trouble or Message("watch.opening"))
        else:
            overcome, exercises = view.overcome, self._exercises
            print_compact(
                view.report,
                self._course,
                self._language,
                console,
                exercises=exercises,
                overcome=overcome,
                example=example,
            )
            if view.complete == view.count > 1 and view.report.verdict is Verdict.ACCEPTED:
                page.say(Message("watch.all_complete"), style="bold green")
            if view.report.provenance.isolation.level == "weak":
                layers = {"layers": ", ".join(view.report.provenance.isolation.layers)}
                page.say(Message("cli.isolation_weak", layers), style="bold yellow")

    def _print_done(self, page: Lines, view: View, report: GradeReport) -> None:
        points = {"points": number(report.points), "most": number(report.max_points)}
        fields = {"exercise": view.exercise.name, "points": tell(Message("report.points", points), self._language)}
        page.say(Message("watch.done", fields), style="bold green")
        page.overcome(view.overcome)
        page.space()

    def _footer(self, columns: int) -> list[str]:
        """What is noted, how far one is, and the keys."""
        return _printed(self._print_footer, columns)

    def _print_footer(self, console: Console) -> None:
        page = Lines(console, self._language)
        if self._sheet is not None:
            page.say(Message("watch.sheet_keys"), style="dim")
            return
        if self._busy:
            page.say(Message("watch.grading"), style="dim")
        elif self._notes:
            for note in self._notes:
                page.say(note, style="bold")
        elif self._view is not None:
            saving = Message("watch.saving", {"file": self._view.exercise.filename})
            count = Message("watch.count", {"done": self._view.complete, "count": self._view.count})
            told = (saving, count) if self._view.graded else (count,)
            page.paragraph("   ".join(tell(each, self._language) for each in told), style="dim")
        for row in _rows([tell(Message(f"watch.key_{name}"), self._language) for name in KEYS], console.width):
            page.put((row, "dim"))


def _rows(words: Sequence[str], width: int) -> list[str]:
    """The words side by side, in as many lines as it takes."""
    rows = [words[0]]
    for word in words[1:]:
        if cell_len(rows[-1]) + GAP + cell_len(word) <= width:
            rows[-1] += " " * GAP + word
        else:
            rows.append(word)
    return rows


def _printed(render: Callable[[Console], None], columns: int) -> list[str]:
    """What `render` prints, as lines for a terminal so wide."""
    console = Screen(highlight=False, emoji=False, width=columns)
    with console.capture() as captured:
        render(console)
    return captured.get().rstrip("\n").split("\n")
