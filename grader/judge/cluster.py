"""Grades many submissions on other machines: share by share, through any `concurrent.futures.Executor`.

    submissions ---> Cluster ===Share===> worker: Shards ---> shard ---> zygote ---> one worker for each submission
    on_done     <---         <==Graded===

What a worker sends back is committed by the coordinator, which also makes the pages: a worker writes nothing. A share
whose worker is lost is given to another one, its submissions one by one, so that none of them takes others along; one
that loses its worker again and again is handed back as it is. Memory stays flat: no more shares are on their way than
keep every worker busy.
"""

from __future__ import annotations

import itertools
import socket
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Self

from grader.course import Course, installed_course, load_course, load_exercise
from grader.errors import ContentError, GraderError, UsageError
from grader.judge.identity import identity
from grader.judge.shard import Done, Ended, Setup, Work
from grader.judge.shards import MOST_LOSSES, Shards
from grader.model import GradeReport, Isolation, Message, Submission

FEWEST, MOST = 20, 200  # submissions in a share: a worker collects the suite once for each
SHARES = 4  # for each worker in all, so that none waits long for the last one
AHEAD = 2  # shares a worker has at a time: the one it grades and the next
LOOK_S = 1.0  # between two looks at what is done
PATIENCE = 60  # looks at a cluster without any worker: one that restarts its workers gets time to do so


@dataclass(frozen=True)
class Share:
    """What a worker is given.

    Attributes:
        identity: what its course and its packages have to be.
        weak: grade also where submissions cannot be locked away.
    """

    setup: Setup
    submissions: tuple[Submission, ...]
    identity: Mapping[str, str]
    weak: bool


@dataclass(frozen=True)
class Graded:
    """What it came to; nothing of it is graded where it is refused, or where the isolation is too weak."""

    done: tuple[Done, ...] = ()
    lost: tuple[Submission, ...] = ()
    isolation: Isolation | None = None
    ended: Ended = field(default_factory=Ended)
    refused: Message | None = None


# --- on a worker -------------------------------------------------------------------------------------------------


class _TooWeak(Exception):
    """Submissions cannot be locked away on this machine, and that was not allowed."""


class _Here(threading.local):
    """The sandbox of one thread of a worker: it stays from one share to the next, and ends with the thread."""

    def __init__(self) -> None:
        self.weak = False
        self.isolation: Isolation | None = None
        self.shards = Shards(1, self._note)

    def _note(self, isolation: Isolation) -> None:
        self.isolation = isolation
        if isolation.level == "weak" and not self.weak:
            raise _TooWeak


_here = _Here()


def grade_share(share: Share) -> Graded:
    """Grade a share on this machine, with the course at the same path, else with the one that is installed here."""
    done: list[Done] = []
    lost: list[Submission] = []
    ended, refused = Ended(), None
    _here.weak = share.weak
    try:
        course = _course_here(share)
        setup = replace(share.setup, course=course.root)
        _here.shards.grade(Work(setup, share.submissions, len(share.submissions), done.append, lost.append))
    except _TooWeak:
        done.clear()
    except _OtherIdentity as error:
        refused = Message("batch.cluster_refuses", {"worker": socket.gethostname(), "differences": str(error)})
    except ContentError as error:
        ended = Ended(content=str(error))
    except GraderError as error:
        ended = Ended(fault=f"worker {socket.gethostname()}: {error}")
    return Graded(tuple(done), tuple(lost), _here.isolation, ended, refused)


class _OtherIdentity(Exception):
    """What is installed here would grade otherwise."""


def _course_here(share: Share) -> Course:
    wanted = share.setup.course
    there = (wanted / "exercises").is_dir() and (wanted / "solutions").is_dir()
    course = load_course(wanted if there else installed_course())
    if share.setup.exercise not in course.names:
        raise _OtherIdentity(f"exercises/{share.setup.exercise}: -")
    found = identity(course, load_exercise(course, share.setup.exercise))
    other = {name: (here, found.get(name, "-")) for name, here in share.identity.items() if found.get(name) != here}
    if other:
        raise _OtherIdentity("; ".join(f"{name}: {there} ≠ {here}" for name, (here, there) in other.items()))
    return course


def _nothing(_report: GradeReport) -> None:
    """Pages are made by the coordinator."""


# --- on the coordinator ------------------------------------------------------------------------------------------


class Cluster:
    """Grades as `Shards` does, on the workers of an executor.

    Args:
        width: how many shares can be graded at a time; asked again and again, workers come and go.
        lost: what a future raises, beside BrokenExecutor, where its worker is gone.
        weak: grade also on workers where submissions cannot be locked away.
        on_isolation: called for each isolation that is met, before its results are handed over.
    """

    def __init__(
        self,
        executor: Executor,
        width: Callable[[], int],
        on_isolation: Callable[[Isolation], None],
        *,
        lost: tuple[type[Exception], ...] = (),
        weak: bool = False,
    ) -> None:
        self._executor = executor
        self._width = width
        self._on_isolation = on_isolation
        self._lost: tuple[type[Exception], ...] = (BrokenExecutor, *lost)
        self._weak = weak
        self._running: dict[Future[Graded], tuple[Submission, ...]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self._cancel()

    def grade(self, work: Work) -> None:
        """Grade all submissions for one exercise, in no order; errors are those of `Shards.grade`.

        Raises:
            UsageError: the cluster is gone, cannot run this, or would grade otherwise; what was handed over stays so.
        """
        setup = work.setup
        course = load_course(setup.course)
        expects = identity(course, load_exercise(course, setup.exercise))
        share = partial(Share, replace(setup, finish=_nothing), identity=expects, weak=self._weak)
        waiting = _chunks(work.submissions, min(MOST, max(FEWEST, work.expected // (SHARES * max(1, self._width())))))
        self._again: deque[tuple[Submission, ...]] = deque()
        self._losses: dict[tuple[str, str], int] = {}
        self._faults: list[str] = []

        def finish(done: Done) -> None:
            work.on_done(Done(done.report, setup.finish(done.report)))

        self._forsaken = 0
        try:
            while self._top_up(share, waiting):
                ready = wait(self._running, timeout=LOOK_S, return_when=FIRST_COMPLETED).done
                for future in ready:
                    self._take(future, self._running.pop(future), finish, work.on_lost)
                work.on_tick()
                self._require_workers(heard=bool(ready))
        except BaseException:
            self._cancel()
            raise
        if self._faults:
            raise GraderError(f"{setup.exercise}: a worker of the cluster met a fault:\n{self._faults[0]}")

    def _top_up(
        self, share: Callable[[tuple[Submission, ...]], Share], waiting: Iterator[tuple[Submission, ...]]
    ) -> bool:
        """Give the workers what they can take; whether anything is on its way."""
        while len(self._running) < AHEAD * max(1, self._width()):
            chosen = self._again.popleft() if self._again else next(waiting, ())
            if not chosen:
                break
            self._running[self._executor.submit(grade_share, share(chosen))] = chosen
        return bool(self._running)

    def _require_workers(self, *, heard: bool) -> None:
        """Raises UsageError where nothing was heard for long, and nobody is there who could answer."""
        self._forsaken = 0 if heard or self._width() else self._forsaken + 1
        if self._forsaken >= PATIENCE:
            raise UsageError(Message("batch.cluster_forsaken"))

    def _take(
        self,
        future: Future[Graded],
        sent: tuple[Submission, ...],
        on_done: Callable[[Done], None],
        on_lost: Callable[[Submission], None],
    ) -> None:
        try:
            graded = future.result()
        except self._lost as error:
            self._bury(sent, error, on_lost)
            return
        except CancelledError as error:
            raise UsageError(Message("batch.cluster_gone")) from error
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            raise UsageError(Message("batch.cluster_cannot", {"reason": reason})) from error
        if graded.refused:
            raise UsageError(graded.refused)
        if graded.ended.content:
            raise ContentError(graded.ended.content)
        if graded.isolation is not None:
            self._on_isolation(graded.isolation)
        for done in graded.done:
            on_done(done)
        for submission in graded.lost:
            on_lost(submission)
        self._faults += [graded.ended.fault] if graded.ended.fault else []

    def _bury(self, sent: tuple[Submission, ...], error: Exception, on_lost: Callable[[Submission], None]) -> None:
        """A worker is gone, or as many as the scheduler tried by itself; who is to blame is known of one alone."""
        if len(sent) > 1:
            self._again.extend((submission,) for submission in sent)
            return
        suspect = (sent[0].who, sent[0].sha256)
        self._losses[suspect] = self._losses.get(suspect, 0) + 1 + int(getattr(error, "allowed_failures", 0))
        if self._losses[suspect] >= MOST_LOSSES:
            on_lost(sent[0])
        else:
            self._again.append(sent)

    def _cancel(self) -> None:
        for future in self._running:
            future.cancel()
        self._running.clear()


def _chunks(submissions: Iterable[Submission], size: int) -> Iterator[tuple[Submission, ...]]:
    waiting = iter(submissions)
    while chunk := tuple(itertools.islice(waiting, size)):
        yield chunk
