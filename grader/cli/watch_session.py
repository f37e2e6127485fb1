r"""One session of `grade watch`: which exercise is the current one, and what is known of each.

    a file is saved --\                                  /--> another exercise is the current one
    a key ------------->  Events --> Session: submissions --grade_all--> verdict --> progress, page
    another size -----/              (its suite stays collected)

Nothing counts events: after each of them the files are read again, so that however they were saved, and however fast,
what is graded last is what lies there. A grading that went wrong for another reason than the file is done once more:
after a pause as by Ctrl-Z, in which the time of the submission went on, and where the sandbox was lost.
"""

from __future__ import annotations

import gc
import math
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Self

from grader.cli.files import WrittenFiles, read_progress
from grader.cli.targets import Target, missing_package
from grader.cli.watch_pages import View, WatchPage
from grader.cli.watch_sandboxes import Sandboxes
from grader.course import Course, read_submission
from grader.errors import GraderError, SubmissionError, UsageError
from grader.model import GradeReport, Language, Message, Submission, Verdict
from grader.progress import Progress, next_exercise
from grader.state import state_folder
from grader.watch.events import Event, Events, Pressed, Saved
from grader.watch.ground import Ground

PATIENCE_S = 0.15  # for a file that is missing or empty: an editor may be about to write it
BUSY_S = 0.5  # a grading that takes longer is said to be going on


class KeyListener:
    """What keys do; nothing, where nobody sits before a terminal."""

    def press(self, key: str) -> None:
        """A key was pressed."""

    def redraw(self) -> None:
        """The terminal has another size."""


class Session:
    """Grades what is saved; use as a context manager.

    Attributes:
        current: name of the exercise that is watched.
        over: set to end the session.
        then: what to do as soon as no suite is in use.
    """

    def __init__(
        self, course: Course, targets: Sequence[Target], language: Language, page: WatchPage, events: Events
    ) -> None:
        self.course = course
        self.language = language
        self.targets = {target.exercise.name: target for target in targets}
        self.names = list(self.targets)
        self.state = state_folder(targets[0].home, self.names[0])
        self._notes: list[Message] = []  # to be shown beside the next verdict
        self._progress = read_progress(self.state, self.note_with_next)
        self.current = next_exercise(self._progress, self.names) or self.names[0]
        self.views: dict[str, View] = {}
        self.graded: dict[str, Submission] = {}
        self._verdicts: dict[str, Verdict | None] = {}  # the last on each file, None where there could be none
        self.over = False
        self.then: Callable[[], None] | None = None
        self.keys = KeyListener()
        self._page = page
        self._events = events
        self._files = WrittenFiles(course, language, self.note_with_next, asked=None, pages=False, several=True)
        self._sandboxes = Sandboxes()
        self._known = {name: self.sha256(name) for name in self.names}  # of each file, when it was looked at last
        self._shown = ""  # the exercise on the page
        self._at_work: tuple[Submission, int] | None = None  # what is being graded, and the pauses before
        self._lost: Submission | None = None  # what was being graded when the sandbox was lost
        self._again = False  # it is to be graded once more, in another one
        self._unread: Message | None = None  # why the progress cannot be read
        self._ground = Ground()
        self._timer = threading.Timer(0, page.busy)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self._sandboxes.close()

    def progress(self) -> Progress:
        """What is recorded; where it cannot be read any more, what it was, and that is noted once."""
        try:
            self._progress = read_progress(self.state, self.note_with_next)
        except UsageError as error:
            if error.message != self._unread:
                self.note_with_next(error.message)
            self._unread = error.message
        else:
            self._unread = None
        return self._progress

    # --- the loop ----------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Grade what is saved, until somebody quits."""
        while not self.over:
            target = self.targets[self.current]
            if self._shown != self.current:
                self.show(self.views.get(self.current) or self._view(self.current))
            missing = missing_package(target.exercise)
            if missing is None:
                self._grade_what_is_saved(target)
            else:
                self._wait_for_package(target, Message("cli.extra_missing", missing.fields))
            then, self.then = self.then, None
            if then is not None and not self.over:
                then()

    def _grade_what_is_saved(self, target: Target) -> None:
        """Raises as `grade_all` does, but for a sandbox that was lost."""
        packages = target.exercise.packages
        is_new = packages not in self._sandboxes
        self._again, self._at_work = False, None
        try:
            self.grade(target, self._submissions(target), self._take)
        except GraderError:
            lost_meanwhile = self._at_work is None and not is_new
            if not self._again and not lost_meanwhile:
                raise
            self._sandboxes.give_up(packages)

    def report_with_figures(self, name: str) -> GradeReport:
        """The report on what was graded last, with its figures; raises as `grade_all` does."""
        target, reports = self.targets[name], list[GradeReport]()
        try:
            self.grade(target, [self.graded[name]], reports.append, figures=True)
        except GraderError:
            self._sandboxes.give_up(target.exercise.packages)
            self.grade(target, [self.graded[name]], reports.append, figures=True)
        return reports[-1]

    def grade(
        self,
        target: Target,
        submissions: Iterable[Submission],
        take: Callable[[GradeReport], None],
        *,
        figures: bool = False,
    ) -> None:
        """Grade in the warm sandbox of the exercise; raises as `grade_all` does. No suite may be in use."""
        sandbox = self._sandboxes.warm(target.exercise.packages)
        from grader.judge.grading import grade_all  # noqa: PLC0415 - while the sandbox starts

        try:
            grade_all(self.course, target.exercise, submissions, take, sandbox=sandbox, figures=figures)
        finally:
            self._timer.cancel()

    def _prepare_next(self, name: str) -> None:
        """Start the sandbox of the exercise after this one: torch takes seconds to warm up."""
        following = self.names[self.names.index(name) + 1 :][:1]
        for target in (self.targets[each] for each in following):
            if missing_package(target.exercise) is None:
                self._sandboxes.warm(target.exercise.packages)

    def _submissions(self, target: Target) -> Iterator[Submission]:
        """What lies in the file, whenever that is something else; ends where the exercise is another one."""
        name = target.exercise.name
        gc.freeze()  # what was imported stays; a search for garbage through all of torch would delay a verdict
        while self._stays(name):
            submission = self._settled(target)
            view = self.views[name]
            graded = self.graded[name].sha256 if view.report is not None else None
            if submission is not None and submission.sha256 != graded:
                self._at_work = submission, self._events.pauses
                self._known[name] = submission.sha256  # else what is graded by now would be news later
                self._timer = threading.Timer(BUSY_S, self._page.busy)
                self._timer.daemon = True
                self._timer.start()
                yield submission
            elif self._stays(name):
                self._wait()

    def _wait_for_package(self, target: Target, trouble: Message) -> None:
        """Show what is missing, until something is saved once it is there, since half of a package would not start."""
        name = target.exercise.name
        before = self.sha256(name)
        self.show(replace(self._view(name), trouble=trouble, graded=False))
        while self._stays(name) and (self.sha256(name) == before or missing_package(target.exercise) is not None):
            self._wait()

    def _stays(self, name: str) -> bool:
        return not self.over and self.then is None and self.current == name and not self._again

    def _settled(self, target: Target) -> Submission | None:
        """The file as it lies there; where it is missing or empty, only after a moment in which that stays so."""
        name = target.exercise.name
        known = self.views[name].trouble  # why there is nothing to grade, where that was said already
        until = time.monotonic() + (0 if known else PATIENCE_S)
        while self._stays(name):
            submission = trouble = None
            try:
                submission = read_submission(target.file, target.exercise, target.shown)
            except SubmissionError as error:
                trouble = error.message
            left = until - time.monotonic()
            if left > 0 and not (submission and submission.source.strip()):
                self._wait(math.ceil(1000 * left))
                continue
            if trouble is not None and trouble != known:
                self._verdicts.setdefault(name, None)
                self.show(replace(self._view(name), trouble=trouble))
            return submission
        return None

    def _wait(self, most_ms: int | None = None) -> None:
        for event in self._events.wait(most_ms):
            self._ground.keep()
            self._handle(event)

    def _handle(self, event: Event) -> None:
        if isinstance(event, Saved):
            self._look_elsewhere()
        elif isinstance(event, Pressed):
            self.keys.press(event.key)
        else:
            self.keys.redraw()

    # --- verdicts ----------------------------------------------------------------------------------------------

    def _take(self, report: GradeReport) -> None:
        """Record and show a verdict; after the one that completes an exercise, go on."""
        self._timer.cancel()
        self._timer.join()
        name = report.exercise
        assert self._at_work is not None  # noqa: S101 - what the report is on
        submission, pauses = self._at_work
        if report.verdict is Verdict.GRADER_ERROR and self._lost != submission:
            self._lost, self._again = submission, True
            return
        if self._events.pauses != pauses:
            return
        self.graded[name], self._lost = submission, None
        self._files.write(report, self.targets[name].home)
        overcome = [self.course.mistakes[slug] for slug in self._files.overcome if slug in self.course.mistakes]
        view = replace(self._view(name), report=report, overcome=overcome)
        improved = name in self._verdicts and self._verdicts[name] is not Verdict.ACCEPTED
        self._verdicts[name] = report.verdict
        following = None
        if report.verdict is Verdict.ACCEPTED and improved:
            following = next_exercise(self.progress(), self.names)
        if following is None:
            self.show(view)
        else:
            self.views[name] = view
            self.current = following
            self.show(replace(self.views.get(following) or self._view(following), before=view))
        self._prepare_next(name)

    def _view(self, name: str) -> View:
        """An exercise of which nothing is known yet; what led to it stays until its second verdict."""
        earlier = self.views.get(name)
        before = earlier.before if earlier is not None and earlier.report is None else None
        return View(self.targets[name].exercise, before=before, count=len(self.names))

    def show(self, view: View) -> None:
        """Show how things stand with an exercise, and, however long ago it was looked at, how many are complete now."""
        progress = self.progress()
        done = sum(progress.record(each).completed is not None for each in self.names)
        view = replace(view, complete=done)
        self._shown = view.exercise.name
        self.views[self._shown] = view
        self._page.show(view)
        if self._notes and (view.report is not None or view.trouble is not None):
            self._page.note(*self._notes)
            self._notes.clear()

    def note_with_next(self, message: Message) -> None:
        """A sentence that is shown beside the next verdict."""
        if message not in self._notes:
            self._notes.append(message)

    # --- which exercise ----------------------------------------------------------------------------------------

    def go(self, name: str) -> None:
        """Make this exercise the current one, and show it: another key may follow at once."""
        self.current = name
        self.show(replace(self.views.get(name) or self._view(name), before=None))

    def sha256(self, name: str) -> str | None:
        """Of the file of an exercise, None where it cannot be read."""
        target = self.targets[name]
        try:
            return read_submission(target.file, target.exercise, target.shown).sha256
        except SubmissionError:
            return None

    def _look_elsewhere(self) -> None:
        """Where the file of another exercise was saved, and not this one's, that one becomes the current one."""
        now = {name: self.sha256(name) for name in self.names}
        changed = [name for name in self.names if now[name] is not None and now[name] != self._known[name]]
        self._known = now
        if changed and self.current not in changed:
            self.go(changed[0])
