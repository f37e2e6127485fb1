"""Grades what was collected: plans what is not done yet, has it graded over all cores, commits result by result.

rows --> done already? --> Shards --> one transaction for each result --> exports
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from grader.course import Course, load_exercise
from grader.errors import ContentError, GraderError, UsageError
from grader.gradebook.book import Change, Gradebook
from grader.gradebook.exports import REPORTS, write_grades, write_results
from grader.gradebook.inputs.collect import Collected, Row
from grader.gradebook.key import engine_version, result_key
from grader.gradebook.pages import Finish, Finished, page_of, put_override
from grader.gradebook.standings import Standing
from grader.judge.grading import suite_sha256
from grader.judge.shard import Done, Setup
from grader.judge.shards import Shards
from grader.model import Isolation, Language, Message, Submission, Verdict


@dataclass(frozen=True)
class Job:
    """One submission that has to be graded.

    Attributes:
        stored: its result is there already, and only its page is missing.
    """

    row: Row
    key: str
    stored: bool


@dataclass
class Outcome:
    """What a run came to.

    Attributes:
        asked: the exercises that were asked for.
        again: what was graded before was graded again.
        graded: how many were graded now.
        lost: submissions that ended the process that graded them, or met a fault of ours.
        trouble: why pages could not be written; the first.
        fault: the first fault of the course or of ours.
    """

    asked: tuple[str, ...] = ()
    again: bool = False
    graded: int = 0
    changes: list[Change] = field(default_factory=list)
    lost: list[Submission] = field(default_factory=list)
    trouble: str = ""
    isolation: Isolation | None = None
    fault: ContentError | GraderError | None = None


@dataclass(frozen=True)
class Watched:
    """Who is told while a run goes on."""

    planned: Callable[[int, int], None]  # to do now, done before
    advance: Callable[[], None]  # one more is committed
    tick: Callable[[], None]  # at least once a second


class Batch:
    """One run over one input.

    Args:
        folder: where the gradebook and everything else goes.
        shards: how many processes grade.
    """

    def __init__(
        self, course: Course, collected: Collected, book: Gradebook, folder: Path, language: Language, *, shards: int
    ) -> None:
        self._course = course
        self._collected = collected
        self._book = book
        self._folder = folder
        self._language = language
        self._count = shards
        self.outcome = Outcome()

    def run(self, source: str, exercises: Sequence[str], watched: Watched, *, again: bool, weak: bool) -> None:
        """Grade everything that is not done; the outcome is kept up to date, whatever ends this.

        Args:
            again: grade also what is done.
            weak: go on where submissions cannot be locked away.

        Raises:
            UsageError: the isolation is weak, or the gradebook cannot be written.
        """
        run = self._book.begin_run(source, exercises, engine_version())
        self.outcome.asked, self.outcome.again = tuple(exercises), again
        how = "failed"
        try:
            self._book.take_in(run, self._collected.rows)
            plan = self._plan(again=again)
            jobs = sum(map(len, plan.values()))
            watched.planned(jobs, sum(row.state == "read" for row in self._collected.rows) - jobs)
            for name, wanted in plan.items():
                self._grade(run, name, wanted, watched, weak=weak)
            how = "failed" if self.outcome.fault else "done"
        except KeyboardInterrupt:
            how = "interrupted"
            raise
        finally:
            level = self.outcome.isolation.level if self.outcome.isolation else None
            self._book.end_run(run, how, level)

    def _plan(self, *, again: bool) -> dict[str, list[Job]]:
        """What to grade, by exercise."""
        known = {(one.student, one.exercise): one for one in self._book.standings()}
        plan: dict[str, list[Job]] = {}
        for name in dict.fromkeys(row.exercise for row in self._collected.rows if row.state == "read"):
            exercise = load_exercise(self._course, name)
            suite = suite_sha256(exercise)
            for row in self._collected.rows:
                if row.exercise != name or row.state != "read":
                    continue
                key = result_key(exercise, row.sha256, suite)
                stored = known[row.student, name].key == key
                page = page_of(self._folder / REPORTS, row.student, name)
                if again or not stored or not page.exists():
                    plan.setdefault(name, []).append(Job(row, key, stored and not again))
        return plan

    def _grade(self, run: int, name: str, jobs: Sequence[Job], watched: Watched, *, weak: bool) -> None:
        by_student = {job.row.student: job for job in jobs}

        def on_isolation(isolation: Isolation) -> None:
            self.outcome.isolation = isolation
            if isolation.level == "weak" and not weak:
                missing = ", ".join(layer for layer, _ in isolation.missing) or "-"
                raise UsageError(Message("batch.weak_isolation", {"missing": missing}))

        def on_done(done: Done) -> None:
            self._keep(run, by_student[done.report.who], done)
            watched.advance()

        def on_lost(submission: Submission) -> None:
            self.outcome.lost.append(submission)
            watched.advance()

        finish = Finish(self._course.root, self._folder / REPORTS, self._language)
        setup = Setup(self._course.root, name, finish)
        try:
            with Shards(setup, min(self._count, len(jobs)), on_isolation) as shards:
                shards.grade(self._submissions(jobs), on_done, on_lost, watched.tick)
        except (ContentError, GraderError) as fault:  # the other exercises are graded all the same
            self.outcome.fault = self.outcome.fault or fault

    def _submissions(self, jobs: Sequence[Job]) -> Iterator[Submission]:
        return (self._collected.submission(job.row) for job in jobs)

    def _keep(self, run: int, job: Job, done: Done) -> None:
        assert isinstance(done.finished, Finished)  # noqa: S101
        self.outcome.trouble = self.outcome.trouble or done.finished.trouble
        if done.finished.fault:
            self.outcome.fault = self.outcome.fault or GraderError(f"a page could not be made:\n{done.finished.fault}")
        self.outcome.graded += 1
        if job.stored:
            return
        change = self._book.add(run, done.report, done.finished.text, job.key)
        if change is not None:
            self.outcome.changes.append(change)
        if done.report.verdict is Verdict.GRADER_ERROR:
            self.outcome.lost.append(self._collected.submission(job.row))


def export(book: Gradebook, folder: Path, language: Language) -> list[Standing]:
    """Write grades.csv, results.jsonl and overrides on pages from all that the gradebook holds; where everybody stands.

    Raises:
        UsageError: one of them cannot be written; the gradebook has everything all the same.
    """
    standings = book.standings()
    try:
        for one in standings:
            if one.was_overridden:  # its page may have been made anew since
                put_override(page_of(folder / REPORTS, one.student, one.exercise), one.override, language)
        write_grades(folder, standings, book.names(), language)
        write_results(folder, book.reports())
    except OSError as error:
        fields = {"path": str(error.filename or folder), "reason": error.strerror or str(error)}
        raise UsageError(Message("batch.not_exported", fields)) from error
    return standings


def cores() -> int:
    """How many processes can work at a time here."""
    return len(os.sched_getaffinity(0))
