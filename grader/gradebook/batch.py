"""Grades what was collected: plans what is not done yet, has it graded over all cores, commits result by result.

rows --> done already? --> Shards --> one transaction for each result --> files.py
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from grader.course import Course, load_exercise
from grader.errors import ContentError, GraderError, UsageError
from grader.gradebook.attempts import Contest, attempts_of, digest_of, keep_page
from grader.gradebook.book import Change, Gradebook
from grader.gradebook.exports import REPORTS
from grader.gradebook.inputs.collect import Collected, Row
from grader.gradebook.key import result_key
from grader.gradebook.pages import Finish, Finished, is_page, page_of
from grader.judge.cluster import Cluster
from grader.judge.grading import suite_sha256
from grader.judge.identity import engine_version
from grader.judge.seed_process import MANY, SeedProcess
from grader.judge.shard import Done, Setup, Work
from grader.judge.shards import Shards
from grader.model import Exercise, Isolation, Language, Message, Submission, Verdict
from grader.report.feedback import Feedback
from grader.sandbox.launch import first_missing


@dataclass(frozen=True)
class Job:
    """One submission that has to be graded.

    Attributes:
        stored: its result is there already, and only its page is missing.
        attempts: the files that are graded for it, of which the best counts.
    """

    row: Row
    key: str
    stored: bool
    attempts: tuple[Row, ...]


@dataclass
class Outcome:
    """What a run came to.

    Attributes:
        asked: the exercises that were asked for.
        again: what was graded before was graded again.
        graded: how many were graded now.
        pages: how many results were there, and graded once more for their pages alone.
        lost: submissions that ended the process that graded them, or met a fault of ours.
        trouble: why pages could not be written; the first.
        fault: the first fault of the course or of ours.
        missing: packages that are not installed, and the exercises that were not graded for want of each.
        left_out: workers of a cluster that would grade otherwise, by what differs there.
    """

    asked: tuple[str, ...] = ()
    again: bool = False
    graded: int = 0
    pages: int = 0
    changes: list[Change] = field(default_factory=list)
    lost: list[Submission] = field(default_factory=list)
    trouble: str = ""
    isolation: Isolation | None = None
    fault: ContentError | GraderError | None = None
    missing: dict[str, list[str]] = field(default_factory=dict)
    left_out: dict[str, list[str]] = field(default_factory=dict)


class Planned(Protocol):
    """Who is told what a run has to do."""

    def __call__(self, *, to_do: Mapping[str, int], before: int, pages: int) -> None:
        """Take it in.

        Args:
            to_do: how many submissions are graded, exercise by exercise.
            before: how many were done before, and are not graded.
            pages: how many of `to_do` are graded for their pages alone.
        """


@dataclass(frozen=True)
class Watched:
    """Who is told while a run goes on."""

    planned: Planned
    begin: Callable[[str], None]  # an exercise; a few submissions of those before may still be on their way
    advance: Callable[[str], None]  # one more of an exercise is committed
    give_up: Callable[[str], None]  # an exercise, for the course is at fault; what is on its way may still be committed
    tick: Callable[[], None]  # at least once a second


class Batch:
    """One run over one input.

    Args:
        folder: where the gradebook and everything else goes.
        feedback: how much of it a student's page shows.
        shards: how many processes grade, or how many shares a cluster grades at a time.
        cluster: makes what grades in place of the processes of this machine.
        seed: from which these are forked, where it is started already.
    """

    def __init__(
        self,
        course: Course,
        collected: Collected,
        book: Gradebook,
        folder: Path,
        language: Language,
        *,
        feedback: Feedback = "full",
        shards: int,
        cluster: Callable[..., Cluster] | None = None,
        seed: SeedProcess | None = None,
    ) -> None:
        self._course = course
        self._collected = collected
        self._book = book
        self._folder = folder
        self._language: Language = language
        self._feedback: Feedback = feedback
        self._count = shards
        self._cluster = cluster
        self._seed = seed
        self._assigned: frozenset[str] = frozenset()
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
            plan = self._plan(run, again=again)
            to_do = {name: len(wanted) for name, wanted in plan.items()}
            pages = sum(job.stored for wanted in plan.values() for job in wanted)
            left_out = frozenset(name for names in self.outcome.missing.values() for name in names)
            there = sum(row.state == "read" and row.exercise not in left_out for row in self._collected.rows)
            watched.planned(to_do=to_do, before=there - sum(to_do.values()), pages=pages)
            with self._engine(weak=weak) as shards:
                shards.grade(self._works(run, plan, watched), watched.tick)
            how = "failed" if self.outcome.fault else "done"
        except KeyboardInterrupt:
            how = "interrupted"
            raise
        finally:
            level = self.outcome.isolation.level if self.outcome.isolation else None
            self._book.end_run(run, how, level)

    def _engine(self, *, weak: bool) -> Shards | Cluster:
        def accept(isolation: Isolation) -> None:
            self._accept(isolation, weak=weak)

        def leave_out(worker: str, differences: str) -> None:
            self.outcome.left_out.setdefault(differences, []).append(worker)

        if self._cluster is None:
            return Shards(self._count, accept, self._seed)
        return self._cluster(accept, leave_out, weak=weak)

    def _plan(self, run: int, *, again: bool) -> dict[str, list[Job]]:
        """What to grade, by exercise."""
        known = {(one.student, one.exercise): one for one in self._book.standings()}
        self._assigned = frozenset(exercise for _, exercise in known)  # in this run, or in one before
        plan: dict[str, list[Job]] = {}
        for name in dict.fromkeys(row.exercise for row in self._collected.rows if row.state == "read"):
            exercise = load_exercise(self._course, name)
            if (package := self._not_installed(exercise)) is not None:
                self.outcome.missing.setdefault(package, []).append(name)
                continue
            suite = suite_sha256(exercise)
            for row in self._collected.rows:
                if row.exercise != name or row.state != "read":
                    continue
                attempts = attempts_of(row)
                key = result_key(exercise, digest_of(attempts), suite)
                stored = known[row.student, name].key == key
                if stored and len(attempts) > 1:
                    graded = known[row.student, name].graded_sha256
                    self._book.take_in(run, [one for one in attempts if one.sha256 == graded])
                page = page_of(self._folder / REPORTS, row.student, name)
                if again or not stored or not is_page(page, self._language, self._feedback):
                    plan.setdefault(name, []).append(Job(row, key, stored and not again, attempts))
        return plan

    def _not_installed(self, exercise: Exercise) -> str | None:
        """A package that the exercise needs and this machine has not; a cluster has its own."""
        return None if self._cluster is not None else first_missing(exercise.packages)

    def _accept(self, isolation: Isolation, *, weak: bool) -> None:
        self.outcome.isolation = isolation
        if isolation.level == "weak" and not weak:
            missing = ", ".join(layer for layer, _ in isolation.missing) or "-"
            raise UsageError(Message("batch.weak_isolation", {"missing": missing}))

    def _is_many(self, name: str, plan: Mapping[str, Sequence[Job]]) -> bool:
        """Whether a sandbox that starts more slowly pays: it serves every exercise with the same packages."""
        packages = self._course.exercises[name].packages
        served = sum(len(jobs) for other, jobs in plan.items() if self._course.exercises[other].packages == packages)
        return served >= MANY * self._count

    def _works(self, run: int, plan: Mapping[str, Sequence[Job]], watched: Watched) -> Iterator[Work]:
        """What there is to grade, exercise by exercise; each begins when it is asked for."""
        for name, jobs in plan.items():
            watched.begin(name)
            yield self._work(run, name, jobs, watched, many=self._is_many(name, plan))

    def _work(self, run: int, name: str, jobs: Sequence[Job], watched: Watched, *, many: bool) -> Work:
        by_student = {job.row.student: job for job in jobs}
        contests = {student: Contest(job.attempts) for student, job in by_student.items() if len(job.attempts) > 1}

        def advance(who: str, sha256: str, done: Done | None) -> None:
            job, contest = by_student[who], contests.get(who)
            if contest is None:
                if done is not None:
                    self._keep(run, job, done)
            elif not contest.take(sha256, done):
                return
            else:
                self._keep_best(run, job, contest)
                contests.pop(who)
            watched.advance(name)

        def on_done(done: Done) -> None:
            advance(done.report.who, done.report.provenance.submission_sha256, done)

        def on_lost(submission: Submission) -> None:
            self.outcome.lost.append(submission)
            advance(submission.who, submission.sha256, None)

        def on_fault(fault: ContentError | GraderError) -> None:  # the other exercises are graded all the same
            self.outcome.fault = self.outcome.fault or fault
            if isinstance(fault, ContentError):
                watched.give_up(name)

        several = frozenset(contests)
        reports = self._folder / REPORTS
        finish = Finish(self._course.root, reports, self._language, self._feedback, several, self._assigned)
        packages = self._course.exercises[name].packages
        setup = Setup(self._course.root, name, finish, packages, figures=self._feedback == "full", many=many)
        expected = sum(len(job.attempts) for job in jobs)
        return Work(setup, self._submissions(jobs), expected, on_done, on_lost, on_fault)

    def _submissions(self, jobs: Sequence[Job]) -> Iterator[Submission]:
        return (self._collected.submission(row) for job in jobs for row in job.attempts)

    def _keep_best(self, run: int, job: Job, contest: Contest) -> None:
        """Keep the best of several files; nothing where one of them was lost, so that all are tried again."""
        winner = contest.winner()
        page = page_of(self._folder / REPORTS, job.row.student, job.row.exercise)
        try:
            keep_page(page, contest.attempts, winner[0].sha256 if winner else None)
        except OSError as error:
            self.outcome.trouble = self.outcome.trouble or f"{error.filename or page}: {error.strerror or error}"
        if winner is not None:
            row, done = winner
            self._book.take_in(run, [row])
            self._keep(run, job, done)

    def _keep(self, run: int, job: Job, done: Done) -> None:
        assert isinstance(done.finished, Finished)  # noqa: S101
        self.outcome.trouble = self.outcome.trouble or done.finished.trouble
        if done.finished.fault:
            self.outcome.fault = self.outcome.fault or GraderError(f"a page could not be made:\n{done.finished.fault}")
        if job.stored:
            self.outcome.pages += 1
            return
        change = self._book.add(run, done.report, done.finished.text, job.key)
        if change is not None:
            self.outcome.changes.append(change)
        if done.report.verdict is Verdict.GRADER_ERROR:
            self.outcome.lost.append(self._collected.submission(job.row))
        else:
            self.outcome.graded += 1
