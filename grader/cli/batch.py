"""`grade batch SUBMISSIONS --out DIR`: grades a class into a gradebook, and goes on where it was stopped."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.candidates import exercise_folders, files, folders
from grader.cli.command import Command
from grader.cli.files import warn
from grader.cli.targets import chosen_course, exercise_name
from grader.course import Course, shown_path
from grader.errors import GraderError, UsageError
from grader.model import Language, Message
from grader.state import locked

if TYPE_CHECKING:
    from grader.gradebook.batch import Batch
    from grader.gradebook.book import Gradebook
    from grader.gradebook.inputs.downloads import Layout
    from grader.gradebook.inputs.roster import Roster
    from grader.report.feedback import Feedback

LOCK = ".gradebook.lock"
DONE, UNREAD, USAGE = 0, 1, 2
KEEP = ("latest", "best")
MISSING = ("blank", "zero")


@dataclass(frozen=True)
class Options:
    """What was asked on the command line, still as text."""

    language: Language
    submissions: str | None
    exercise: tuple[str, ...]
    all: bool
    layout: str | None
    keep: str | None
    missing: str | None
    out: str | None
    roster: str | None
    feedback: str | None
    export: tuple[str, ...]
    gradebook: str | None
    policy: str | None
    anonymous: bool
    regrade: bool
    allow_weak_isolation: bool
    override: tuple[str, str, str] | None
    by: str | None
    why: str | None
    course: str | None


def command(language: Language) -> Command:
    """The command with its help in `language`."""
    options = [
        click.Option(["--out"], metavar="DIR", shell_complete=folders),
        click.Option(["--exercise"], metavar="EXERCISE", multiple=True, shell_complete=exercise_folders),
        click.Option(["--all"], is_flag=True),
        click.Option(["--from", "layout"], metavar="LAYOUT", shell_complete=lambda *_: list(_layouts())),
        click.Option(["--roster"], metavar="FILE.csv", shell_complete=files),
        click.Option(["--missing"], metavar="zero|blank", shell_complete=lambda *_: list(MISSING)),
        click.Option(["--keep"], metavar="latest|best", shell_complete=lambda *_: list(KEEP)),
        click.Option(["--feedback"], metavar="full|summary|names", shell_complete=_feedbacks),
        click.Option(["--export"], metavar="PLATFORM[=FILE]", multiple=True),
        click.Option(["--gradebook"], metavar="URL"),
        click.Option(["--policy"], metavar="FILE.toml", shell_complete=files),
        click.Option(["--anonymous"], is_flag=True),
        click.Option(["--regrade"], is_flag=True),
        click.Option(["--override"], metavar="ID EXERCISE POINTS", nargs=3),
        click.Option(["--by"], metavar="NAME"),
        click.Option(["--why"], metavar="TEXT"),
        click.Option(["--allow-weak-isolation"], is_flag=True),
        click.Option(["--course"], metavar="DIR", shell_complete=folders),
    ]
    submissions = click.Argument(["submissions"], required=False, metavar="SUBMISSIONS", shell_complete=files)

    def callback(**given: object) -> int:
        return batch(Options(language=language, **given))  # type: ignore[arg-type]

    return Command("batch", language, options, callback, arguments=[submissions])


def batch(options: Options) -> int:
    """Grade a class, keep an override, or export; 0 where every submission has a result, 1 where one could not be read.

    Raises:
        UsageError: what was asked means nothing, or an input or output cannot be read or written.
        ContentError, GraderError: some submission has no result because of the course or of us.
    """
    if options.out is None:
        raise UsageError(Message("batch.no_out"))
    course = chosen_course(options.course)
    if options.submissions is not None and options.override is not None:
        raise UsageError(Message("batch.override_alone"))
    alone = (options.override, options.policy, options.missing, options.export or None, options.anonymous or None)
    if options.submissions is None and set(alone) == {None}:
        raise UsageError(Message("batch.no_submissions"))
    if options.exercise and options.all:
        raise UsageError(Message("batch.exercise_or_all"))
    _refuse_unknown("keep", options.keep, KEEP)
    _refuse_unknown("missing", options.missing, MISSING)
    names = list(dict.fromkeys(exercise_name(course, typed) for typed in options.exercise)) or list(course.names)
    with _opened(Path(options.out), options.gradebook, make=options.submissions is not None) as book:
        from grader.cli.batch_exports import asked_exports, keep_policy, write_exports  # noqa: PLC0415

        exports, feedback, code = asked_exports(options.export), _feedback(options.feedback, book), DONE
        if options.policy is not None:
            keep_policy(Path(options.policy), course, book)
        if options.missing is not None:
            book.settle("missing", options.missing)
        if options.override is not None:
            code = _override(options, course, book, options.override)
        elif options.submissions is not None:
            code = _grade(options, course, names, book, feedback)
        else:
            _write_again(options, course, book)
        wanted = names if options.exercise else ()
        write_exports(
            *(exports, book, course, options.out),
            language=options.language,
            feedback=feedback,
            wanted=wanted,
            anonymous=options.anonymous,
        )
        return code


def _write_again(options: Options, course: Course, book: Gradebook) -> None:
    from grader.gradebook.files import export  # noqa: PLC0415

    export(book, course, Path(options.out or ""), options.language)


@contextmanager
def _opened(folder: Path, url: str | None, *, make: bool) -> Iterator[Gradebook]:
    """The gradebook of the folder, which no other run has at the same time."""
    try:
        from grader.gradebook.book import Gradebook  # noqa: PLC0415
        from grader.gradebook.database import FILE  # noqa: PLC0415
    except ModuleNotFoundError as error:
        if error.name != "sqlalchemy":
            raise
        raise GraderError("SQLAlchemy is not installed: pip install 'manyheads[batch]'") from error

    shown = shown_path(folder)
    if not make and url is None and not (folder / FILE).is_file():
        raise UsageError(Message("batch.no_gradebook_yet", {"path": shown}))
    with ExitStack() as stack:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            stack.enter_context(locked(folder / LOCK))
        except BlockingIOError as error:
            raise UsageError(Message("batch.busy", {"path": shown})) from error
        except OSError as error:
            fields = {"path": shown, "reason": error.strerror or str(error)}
            raise UsageError(Message("batch.out_closed", fields)) from error
        book = Gradebook(folder, url)
        stack.callback(book.close)
        yield book


# --- grading -----------------------------------------------------------------------------------------------------


def _grade(options: Options, course: Course, names: Sequence[str], book: Gradebook, feedback: Feedback) -> int:
    from grader.cli.batch_screen import Page  # noqa: PLC0415 - rich
    from grader.gradebook.batch import Batch, Watched, cores  # noqa: PLC0415
    from grader.gradebook.files import export  # noqa: PLC0415
    from grader.gradebook.inputs.collect import collected  # noqa: PLC0415

    source, folder = Path(options.submissions or ""), Path(options.out or "")
    roster = _roster(options)
    page = Page(options.language)
    # what was not named was perhaps not set: then nobody misses it
    reading = collected(
        *(source, course, names, roster),
        every=not options.exercise,
        leave_out=folder,
        layout=_layout(options.layout),
        best=options.keep == "best",
    )
    with reading as found, ExitStack() as at_the_end:
        page.say_input(found)
        known = book.names()  # a class list says more about a student than the name of a download
        told = {student: name for student, name in found.names.items() if student not in known}
        book.know({**told, **(roster.names if roster else {})})
        run = Batch(course, found, book, folder, options.language, feedback=feedback, shards=cores())
        # also when the run is interrupted: what is committed by then is in the files
        at_the_end.callback(lambda: export(book, course, folder, options.language))
        with page.progress() as bar:
            watched = Watched(bar.planned, bar.advance, bar.tick)
            where = os.path.abspath(source)  # noqa: PTH100 - as it was named, not where a link leads
            try:
                run.run(where, names, watched, again=options.regrade, weak=options.allow_weak_isolation)
            except KeyboardInterrupt:
                warn(options.language)(Message("batch.interrupted", {"graded": run.outcome.graded}))
                raise
        at_the_end.pop_all()
        standings = export(book, course, folder, options.language)
        page.say_end(run.outcome, standings, found, folder)
        unread = any(row.state == "unreadable" for row in found.rows)
    return _ending(run, options.language) or (UNREAD if unread else DONE)


def _feedbacks(*_: object) -> list[str]:
    from grader.report.feedback import FEEDBACKS  # noqa: PLC0415

    return list(FEEDBACKS)


def _feedback(typed: str | None, book: Gradebook) -> Feedback:
    """What is asked for now, else what was asked for last: pages never show more because an option was forgotten."""
    from grader.report.feedback import FEEDBACKS  # noqa: PLC0415

    asked = typed or book.setting("feedback") or "full"
    for known in FEEDBACKS:
        if asked == known:
            book.settle("feedback", known)
            return known
    raise UsageError(Message("batch.no_such_feedback", {"value": asked, "known": ", ".join(FEEDBACKS)}))


def _refuse_unknown(option: str, typed: str | None, known: Sequence[str]) -> None:
    if typed is not None and typed not in known:
        raise UsageError(Message(f"batch.no_such_{option}", {"value": typed}))


def _layouts() -> tuple[Layout, ...]:
    from grader.gradebook.inputs.downloads import LAYOUTS  # noqa: PLC0415

    return LAYOUTS


def _layout(typed: str | None) -> Layout | None:
    layout = next((known for known in _layouts() if known == typed), None)
    if typed is not None and layout is None:
        raise UsageError(Message("batch.no_such_layout", {"value": typed, "known": ", ".join(_layouts())}))
    return layout


def _roster(options: Options) -> Roster | None:
    from grader.gradebook.inputs.roster import read_roster  # noqa: PLC0415

    return read_roster(Path(options.roster)) if options.roster else None


def _ending(run: Batch, language: Language) -> int:
    outcome = run.outcome
    if outcome.trouble:
        warn(language)(Message("batch.pages_missing", {"trouble": outcome.trouble}))
    if outcome.fault is not None:
        raise outcome.fault
    if outcome.lost:
        raise GraderError(f"{len(outcome.lost)} submissions have no result; the same command tries them again")
    return USAGE if outcome.trouble else DONE


# --- overrides ---------------------------------------------------------------------------------------------------


def _override(options: Options, course: Course, book: Gradebook, asked: tuple[str, str, str]) -> int:
    """Give points by hand, or take them back where the points are "none"."""
    from grader.cli.screen import Screen  # noqa: PLC0415
    from grader.gradebook.files import export  # noqa: PLC0415
    from grader.report.visible import tell  # noqa: PLC0415

    exercise, points = exercise_name(course, asked[1]), _points(asked[2])
    if not (options.by or "").strip() or not (options.why or "").strip():
        raise UsageError(Message("batch.by_and_why"))
    there = [one for one in book.standings() if one.exercise == exercise]
    student = _id_of(asked[0], {one.student for one in there})
    if student is None:
        raise UsageError(Message("batch.nobody", {"student": asked[0], "exercise": exercise}))
    _refuse_more_than_all(exercise, points, [one.max_points for one in there if one.max_points is not None])
    book.override(student, exercise, points, options.by or "", options.why or "")
    export(book, course, Path(options.out or ""), options.language)
    key = "batch.override_taken_back" if points is None else "batch.overridden"
    given = {} if points is None else {"points": f"{points:g}"}
    fields = {"student": student, "exercise": exercise, **given}
    Screen(highlight=False, emoji=False).print(
        tell(Message(key, fields), options.language), markup=False, soft_wrap=True
    )
    return DONE


def _id_of(typed: str, known: Collection[str]) -> str | None:
    """The student that was typed, as the gradebook or as grades.csv has the id."""
    from grader.report.visible import visible  # noqa: PLC0415

    spelt = [one for one in known if visible(one) == typed]
    return typed if typed in known else spelt[0] if len(spelt) == 1 else None


def _refuse_more_than_all(exercise: str, points: float | None, known: Sequence[float]) -> None:
    """The exercise's points are those of its results; where it has none yet, nothing is known to be too much."""
    if points is not None and known and points > max(known):
        fields = {"exercise": exercise, "most": f"{max(known):g}", "value": f"{points:g}"}
        raise UsageError(Message("batch.too_many_points", fields))


def _points(text: str) -> float | None:
    if text == "none":
        return None
    try:
        points = float(text)
    except ValueError:
        points = -1.0
    if not 0 <= points < 1e6:
        raise UsageError(Message("batch.bad_points", {"value": text}))
    return points
