"""Grades the input of `grade batch`: reads it, has it graded on this machine or on a cluster, and says how it went."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from grader.cli.batch_screen import Page
from grader.cli.files import warn
from grader.cli.targets import EXTRAS
from grader.course import Course
from grader.errors import GraderError
from grader.gradebook.batch import Batch, Watched
from grader.gradebook.database import peek
from grader.gradebook.files import export
from grader.gradebook.inputs.collect import Collected, collected
from grader.gradebook.inputs.downloads import LAYOUTS
from grader.gradebook.inputs.roster import Roster, kept_roster, kept_text, read_roster
from grader.installing import package_command
from grader.judge.dask_cluster import Workers, dask_cluster
from grader.judge.seed_process import SeedProcess, cores
from grader.model import Language, Message

if TYPE_CHECKING:
    from grader.cli.batch import Options
    from grader.gradebook.book import Gradebook
    from grader.report.feedback import Feedback

DONE, UNREAD, USAGE = 0, 1, 2
ROSTER, NO_ROSTER = "roster", "none"  # the setting that keeps the class list; what is typed to drop it


@dataclass(frozen=True)
class Input:
    """What was handed in, and who grades it.

    Attributes:
        kept: the class list as the gradebook keeps it from now on, "" for none; None where there never was one.
    """

    found: Collected
    roster: Roster | None
    kept: str | None
    workers: Workers


@contextmanager
def read_input(options: Options, course: Course, names: Sequence[str], folder: Path) -> Iterator[Input]:
    """The input of a run, read; it can be used until the end of the block.

    Args:
        folder: where the results go; what lies there is no input.

    Raises:
        UsageError: the input, the class list or the gradebook cannot be read, or the cluster cannot be reached.
    """
    roster, kept = _class_list(options, folder)
    # what was not named was perhaps not set: then nobody misses it
    reading = collected(
        *(Path(options.submissions or ""), course, names, roster),
        every=not options.exercise,
        leave_out=folder,
        layout=next((known for known in LAYOUTS if known == options.layout), None),
        best=(options.keep or peek(folder, options.gradebook, "keep")) == "best",
    )
    with reading as read:
        found = read
        if roster is not None and options.roster is None:  # forgetting an option must not change who a file is from
            note = Message("batch.roster_kept", {"students": len(roster.names)})
            found = replace(read, notes=(note, *read.notes))
        if options.cluster is None:
            yield Input(found, roster, kept, Workers(cores(), None, lambda: 0))
            return
        with dask_cluster(options.cluster) as workers:
            yield Input(found, roster, kept, workers)


def _class_list(options: Options, folder: Path) -> tuple[Roster | None, str | None]:
    """The class list that is asked for, else the one that was given last; and as it is kept, `Input.kept`."""
    if options.roster is None:
        kept = peek(folder, options.gradebook, ROSTER)
        return kept_roster(kept), kept
    roster = None if options.roster == NO_ROSTER else read_roster(Path(options.roster))
    return roster, kept_text(roster)


def grade_input(
    given: Input,
    options: Options,
    course: Course,
    names: Sequence[str],
    book: Gradebook,
    *,
    folder: Path,
    language: Language,
    feedback: Feedback,
    seed: SeedProcess | None,
) -> int:
    """Grade what is not done yet, write every file, say how it went; the exit code.

    Args:
        folder: where everything is written.
        language: of what is written; the screen speaks that of the options.

    Raises:
        UsageError: submissions cannot be locked away, or something cannot be written.
        ContentError, GraderError: some submission has no result because of the course or of us.
    """
    found, page = given.found, Page(options.language)
    page.say_input(found)
    where = os.path.abspath(options.submissions or "")  # noqa: PTH100 - as named, not where a link leads
    _know_students(given, book, where)
    run = Batch(
        *(course, found, book, folder, language),
        feedback=feedback,
        shards=given.workers.width,
        cluster=given.workers.cluster,
        seed=seed,
    )
    with ExitStack() as at_the_end:
        # also when the run is interrupted: what is committed by then is in the files
        at_the_end.callback(lambda: export(book, course, folder, language))
        with page.progress() as bar:
            watched = Watched(bar.planned, bar.begin, bar.advance, bar.give_up, bar.tick)
            try:
                run.run(where, names, watched, again=options.regrade, weak=options.allow_weak_isolation)
            except KeyboardInterrupt:
                key = "batch.interrupted" if run.outcome.graded else "batch.interrupted_at_once"
                warn(options.language)(Message(key, {"graded": run.outcome.graded}))
                raise
        at_the_end.pop_all()
    standings = export(book, course, folder, language)
    page.say_end(
        *(run.outcome, standings, found, folder),
        names=book.names(),
        url=options.gradebook is not None,
        workers_lost=given.workers.lost(),
    )
    unread = any(row.state == "unreadable" for row in found.rows)
    return _ending(run, options.language) or (UNREAD if unread else DONE)


def _know_students(given: Input, book: Gradebook, source: str) -> None:
    """Keep who is in the class and called how: a class list says more about a student than the name of a download."""
    known, roster = book.names(), given.roster
    told = {student: name for student, name in given.found.names.items() if student not in known}
    book.know({**told, **(roster.names if roster else {})})
    if given.kept is not None:
        book.settle(ROSTER, given.kept)
    listed = None if given.kept is None else roster.names if roster else ()
    book.forget_absent(listed, given.found.rows, source)


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
