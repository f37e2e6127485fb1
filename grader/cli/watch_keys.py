"""What the keys of `grade watch` do."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from grader.cli.files import ReportPaths
from grader.cli.hint import HintPage, Hints, next_hint, seen_hints
from grader.cli.list import Listed, ListPage
from grader.cli.quiz_due import due_count
from grader.cli.targets import Target
from grader.cli.watch_pages import ScreenPage
from grader.cli.watch_session import KeyListener, Session
from grader.course import installed_course, read_submission, shown_path
from grader.errors import SubmissionError
from grader.model import Message, Verdict
from grader.progress import now
from grader.report.terminal import Page as Lines
from grader.report.visible import tell
from grader.state import prepare_state_folder, write_whole
from grader.watch.keyboard import END
from grader.watch.starter import put_back
from grader.watch.terminal import Terminal

if TYPE_CHECKING:
    from rich.console import Console

YES = {"y", "是"}


class Keys(KeyListener):
    """The keys of one session.

    Args:
        pause: whether a pause lies between two hints.
    """

    def __init__(self, session: Session, screen: ScreenPage, terminal: Terminal, *, pause: bool) -> None:
        self._session = session
        self._screen = screen
        self._terminal = terminal
        self._pause = pause
        self._asked: Target | None = None  # whether to put its starter back
        self._actions: dict[str, Callable[[], None]] = {
            "n": partial(self._step, 1),
            "p": partial(self._step, -1),
            "h": self._hint,
            "r": self._report,
            "l": self._list,
            "x": self._ask_reset,
            "z": partial(self._later, self._quiz),
            "q": self._quit,
        }

    def press(self, key: str) -> None:
        """Do what the key means here: an answer, scrolling, taking a sheet away, or a command."""
        asked, self._asked = self._asked, None
        if key == END:
            self._quit()
        elif asked is not None and self._screen.asking:
            self._screen.note()
            if key in YES:
                self._reset(asked)
        else:
            laid = self._screen.laid
            used = self._screen.scroll(key) or (laid and key == "q")  # who quits a sheet means the sheet
            if not used and key in self._actions:
                try:
                    self._actions[key]()
                except SubmissionError as error:  # such as a progress that cannot be read
                    self._screen.note(error.message)

    def redraw(self) -> None:
        """Draw for the size that the terminal has now."""
        self._screen.draw()

    def _quit(self) -> None:
        self._session.over = True

    def _step(self, step: int) -> None:
        names = self._session.names
        self._session.go(names[(names.index(self._session.current) + step) % len(names)])

    def _later(self, action: Callable[[], None]) -> None:
        self._session.then = action

    # --- sheets ------------------------------------------------------------------------------------------------

    def _hint(self) -> None:
        """The hints that were seen, with the next one, unless it is too early for that."""
        session = self._session
        exercise, language = session.targets[session.current].exercise, session.language
        told: list[Message] = []
        new = next_hint(
            session.course, exercise, session.state, language, when=now(), pause=self._pause, say=told.append
        )
        seen = seen_hints(session.course, exercise, session.state, language, say=told.append)
        unrecorded = [rung for rung in new.shown if rung not in seen.shown]
        shown = [*seen.shown, *unrecorded]
        hints = Hints(seen.ladder, shown, [rung for rung in seen.left if rung not in shown], new.wait_s)

        def render(console: Console) -> None:
            page = HintPage(console, language)
            page.head(exercise)
            page.rungs(hints)
            page.end_with_key(hints, "h")
            for message in told:
                Lines(console, language).say(message, style="bold")

        self._screen.lay(render)

    def _list(self) -> None:
        session = self._session
        progress, due = session.progress(), due_count(session.course.root)
        exercises = session.targets[session.current].home.parent.parent
        self._screen.lay(
            lambda console: ListPage(console, session.language, Listed.of_course(session.course)).print(
                progress, exercises, due
            )
        )

    def _report(self) -> None:
        name = self._session.current
        report = self._session.views[name].report
        if report is None or report.verdict is Verdict.NOT_ATTEMPTED:
            self._screen.note(Message("watch.nothing_to_report"))
        else:
            self._later(partial(self._whole_report, name))

    def _whole_report(self, name: str) -> None:
        """Write the page, with its figures, and show all that it says."""
        from grader.report.html import html_report  # noqa: PLC0415 - its templates take a while
        from grader.report.terminal import print_report  # noqa: PLC0415

        session = self._session
        target = session.targets[name]
        report = session.report_with_figures(name)
        path = ReportPaths(None, several=False).path_for(target.home, report.exercise)
        try:
            prepare_state_folder(path.parent)
            write_whole(path, html_report(report, session.course, session.language))
            written: Path | None = path
            unwritten = None
        except OSError as error:
            fields = {"path": shown_path(Path(error.filename or path)), "reason": error.strerror or str(error)}
            written, unwritten = None, Message("watch.report_not_written", fields)
        exercises = target.home.parent.parent

        def render(console: Console) -> None:
            print_report(report, session.course, session.language, console, report_path=written, exercises=exercises)
            if unwritten is not None:
                Lines(console, session.language).say(unwritten, style="bold")

        self._screen.lay(render)

    # --- the starter -------------------------------------------------------------------------------------------

    def _ask_reset(self) -> None:
        target = self._session.targets[self._session.current]
        starter = target.exercise.starter
        fields = {"file": target.exercise.filename, "path": target.shown}
        if _is_same(target.file, starter):
            self._screen.note(Message("watch.reset_course", fields))
        elif _holds(target, starter.read_bytes()):
            self._screen.note(Message("watch.reset_same", fields))
        else:
            self._asked = target
            self._screen.ask(Message("watch.reset_ask", fields))

    def _reset(self, target: Target) -> None:
        try:
            kept = put_back(target.file, target.exercise.starter.read_bytes())
        except OSError as error:
            fields = {"path": target.shown, "reason": error.strerror or str(error)}
            self._screen.note(Message("watch.reset_failed", fields))
        else:
            done = Message("watch.reset_kept", {"kept": kept.name}) if kept else Message("watch.reset_done")
            self._session.note_with_next(done)

    # --- the quiz ----------------------------------------------------------------------------------------------

    def _quiz(self) -> None:
        """Lend the terminal to the quiz; what it says of itself can be read before the screen comes back."""
        from grader.cli.main import run  # noqa: PLC0415 - it imports this module

        language, course = self._session.language, self._session.course
        other = [] if course.root == installed_course() else ["--course", str(course.root)]
        with self._terminal.lent():
            run(["quiz", "--lang", language, *other])
            if not self._terminal.ended:
                print("\n" + tell(Message("watch.back"), language), flush=True)
                sys.stdin.buffer.readline()  # whatever bytes they are
        self._screen.draw()


def _is_same(file: Path, starter: Path) -> bool:
    try:
        return file.samefile(starter)
    except OSError:
        return False


def _holds(target: Target, content: bytes) -> bool:
    try:
        return read_submission(target.file, target.exercise, target.shown).source == content
    except SubmissionError:
        return False
