"""`grade batch SUBMISSIONS --out DIR`: grades a class into a gradebook, and goes on where it was stopped."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.batch_seed import early_seed
from grader.cli.candidates import exercise_folders, files, folders
from grader.cli.command import Command
from grader.cli.files import warn
from grader.cli.targets import EXTRAS, chosen_course, exercise_name
from grader.course import Course, shown_path
from grader.errors import GraderError, UsageError
from grader.installing import not_installed, package_command
from grader.judge.seed_process import SeedProcess, cores
from grader.model import Language, Message
from grader.state import locked

if TYPE_CHECKING:
    from grader.gradebook.batch import Batch
    from grader.gradebook.book import Gradebook
    from grader.gradebook.inputs.downloads import Layout
    from grader.gradebook.inputs.roster import Roster
    from grader.judge.cluster import Cluster
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
    cluster: str | None
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
        click.Option(["--cluster"], metavar="ADDRESS"),
        click.Option(["--policy"], metavar="FILE.toml", shell_complete=files),
        click.Option(["--anonymous"], is_flag=True),
        click.Option(["--regrade"], is_flag=True),
        click.Option(["--override"], metavar="ID EXERCISE POINTS", nargs=3),
        click.Option(["--by"], metavar="NAME"),
        click.Option(["--why"], metavar="TEXT"),
        click.Option(["--allow-weak-isolation"], is_flag=True),
        click.Option(["--course"], metavar="DIR", shell_complete=folders),
    ]
    submissions = click.Argument(["submissions"], required=False, metavar="[SUBMISSIONS]", shell_complete=files)

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
    with (
        early_seed(course, names, None if options.cluster else options.submissions) as seed,
        _opened(Path(options.out), options.gradebook, make=options.submissions is not None) as book,
    ):
        from grader.cli.batch_exports import (  # noqa: PLC0415
            asked_exports,
            keep_policy,
            warn_of_strangers,
            write_exports,
        )

        exports, feedback, code = asked_exports(options.export), _feedback(options.feedback, book), DONE
        if options.policy is not None:
            keep_policy(Path(options.policy), course, book)
        if options.missing is not None:
            book.settle("missing", options.missing)
        if options.override is not None:
            from grader.cli.batch_override import keep_override  # noqa: PLC0415 - rich

            by, why = options.by or "", options.why or ""
            keep_override(course, book, options.override, by=by, why=why, language=options.language)
            _write_again(options, course, book)
        elif options.submissions is not None:
            code = _grade(options, course, names, book, feedback=feedback, seed=seed)
        else:
            _write_again(options, course, book)
            _tell_settled(options)
        warn_of_strangers(options.policy, book, options.language)
        wanted = names if options.exercise else ()
        write_exports(
            *(exports, book, course, options.out),
            language=options.language,
            feedback=feedback,
            wanted=wanted,
            anonymous=options.anonymous,
            graded=options.submissions is not None,
        )
        return code


def _tell_settled(options: Options) -> None:
    if options.policy is not None or options.missing is not None:
        from grader.cli.batch_screen import Page  # noqa: PLC0415 - rich

        page = Page(options.language)
        page.say_settled()
        page.say_where(Path(options.out or ""), url=options.gradebook is not None)


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
        raise not_installed("SQLAlchemy", "batch") from error

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


def _grade(
    options: Options,
    course: Course,
    names: Sequence[str],
    book: Gradebook,
    *,
    feedback: Feedback,
    seed: SeedProcess | None,
) -> int:
    from grader.cli.batch_screen import Page  # noqa: PLC0415 - rich
    from grader.gradebook.batch import Batch, Watched  # noqa: PLC0415
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
    with reading as found, _workers(options.cluster) as (shards, cluster), ExitStack() as at_the_end:
        page.say_input(found)
        known = book.names()  # a class list says more about a student than the name of a download
        told = {student: name for student, name in found.names.items() if student not in known}
        book.know({**told, **(roster.names if roster else {})})
        if roster is not None:
            book.forget_absent(roster.names)
        run = Batch(
            *(course, found, book, folder, options.language),
            feedback=feedback,
            shards=shards,
            cluster=cluster,
            seed=seed,
        )
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
        page.say_end(run.outcome, standings, found, folder, names=book.names(), url=options.gradebook is not None)
        unread = any(row.state == "unreadable" for row in found.rows)
    return _ending(run, options.language) or (UNREAD if unread else DONE)


@contextmanager
def _workers(address: str | None) -> Iterator[tuple[int, Callable[..., Cluster] | None]]:
    """How many work at a time, and what makes them where they are on other machines."""
    if address is None:
        yield cores(), None
        return
    from grader.judge.dask_cluster import dask_cluster  # noqa: PLC0415

    with dask_cluster(address) as (width, cluster):
        yield width, cluster


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
    for package, exercises in outcome.missing.items():
        fields = {"exercises": ", ".join(exercises), "package": package, "command": package_command(package, EXTRAS)}
        warn(language)(Message("cli.package_missing", fields))
    if outcome.trouble:
        warn(language)(Message("batch.pages_missing", {"trouble": outcome.trouble}))
    if outcome.fault is not None:
        raise outcome.fault
    if outcome.lost:
        raise GraderError(f"{len(outcome.lost)} submissions have no result; the same command tries them again")
    return USAGE if outcome.trouble or outcome.missing else DONE
