"""Grades many submissions on other machines: share by share, through any `concurrent.futures.Executor`.

    submissions ---> Cluster ===Share===> worker: Shards ---> shard ---> zygote ---> one worker for each submission
    on_done     <---         <==Graded===

What a worker sends back is committed by the coordinator, which also makes the pages: a worker writes nothing. A share
whose worker is lost is given to another one, its submissions one by one, so that none of them takes others along; one
that loses its worker again and again is handed back as it is. A worker that would grade otherwise refuses: its share
goes to those that fit. Memory stays flat: no more shares are on their way than keep every worker busy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from dataclasses import replace
from functools import partial
from typing import NamedTuple, Self

from grader.course import load_course, load_exercise
from grader.errors import UsageError
from grader.judge.begun import Begun, Exercises
from grader.judge.identity import identity
from grader.judge.shard import Done, Work
from grader.judge.share import Graded, Share, grade_share, no_page
from grader.model import Isolation, Message, Submission

FEWEST, MOST = 20, 200  # submissions in a share: a worker collects the suite once for each
SHARES = 4  # for each worker in all, so that none waits long for the last one
SHARES_EACH = 2  # that a worker has at a time: the one it grades and the next
LOOK_S = 1.0  # between two looks at what is done
PATIENCE = 60  # looks at a cluster without any worker: one that restarts its workers gets time to do so


class _Exercise(Begun):
    """One exercise, and the shares that it is given out in.

    Args:
        share: makes one of its submissions.
        size: how many a share has.
    """

    def __init__(self, work: Work, share: Callable[[tuple[Submission, ...]], Share], size: int) -> None:
        super().__init__(work)
        self.share = share
        self.size = size

    def bury(self, sent: tuple[Submission, ...], error: Exception) -> None:
        """A worker is gone, or as many as the scheduler tried by itself; who is to blame is known of one alone."""
        if len(sent) > 1:
            self.again.extend(sent)
        else:
            self.lose(sent[0], 1 + int(getattr(error, "allowed_failures", 0)))

    def keep(self, graded: Graded) -> None:
        """Hand over what a worker has graded; pages are made here."""
        for done in graded.done:
            self.work.on_done(Done(done.report, self.work.setup.finish(done.report)))
        for submission in graded.lost:
            self.work.on_lost(submission)
        if graded.ended.content:
            self.give_up(graded.ended.content)
        if graded.ended.fault:
            self.blame(f"worker {graded.worker}: {graded.ended.fault}")


class _Sent(NamedTuple):
    """A share on its way: what it holds, and the workers that alone may take it, where not all may."""

    exercise: _Exercise
    submissions: tuple[Submission, ...]
    only: frozenset[str]


class Cluster:
    """Grades as `Shards` does, on the workers of an executor.

    Args:
        executor: once a worker has refused, its `submit` is told with `workers=` who may take a share, as Dask's.
        places: the workers, and how many shares each can grade at a time; asked anew, for they come and go.
        on_isolation: called for each isolation that is met, before its results are handed over.
        on_refused: called with each worker that would grade otherwise, and in what it differs; it gets no more shares.
        lost: what a future raises, beside BrokenExecutor, where its worker is gone.
        grade: what a worker does with a share: `grade_share`, with its name as in `places`.
        weak: grade also on workers where submissions cannot be locked away.
    """

    def __init__(
        self,
        executor: Executor,
        places: Callable[[], Mapping[str, int]],
        on_isolation: Callable[[Isolation], None],
        on_refused: Callable[[str, str], None],
        *,
        lost: tuple[type[Exception], ...] = (),
        grade: Callable[[Share], Graded] = grade_share,
        weak: bool = False,
    ) -> None:
        self._executor = executor
        self._places = places
        self._on_isolation = on_isolation
        self._on_refused = on_refused
        self._lost: tuple[type[Exception], ...] = (BrokenExecutor, *lost)
        self._grade = grade
        self._weak = weak
        self._refused: dict[str, str] = {}
        self._running: dict[Future[Graded], _Sent] = {}
        self._exercises: Exercises[_Exercise] = Exercises((), self._begin)
        self._width = 1  # shares that all who fit grade at a time, as of the last look
        self._forsaken = 0  # looks, one after the other, at which nobody was there

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self._cancel()

    def grade(self, works: Iterable[Work], on_tick: Callable[[], None] = lambda: None) -> None:
        """Grade all submissions as `Shards.grade` does.

        Raises:
            UsageError: the cluster is gone, cannot run this, or would grade otherwise; what was handed over stays so.
        """
        self._exercises = Exercises(works, self._begin)
        self._forsaken = 0
        try:
            while self._top_up():
                ready = wait(self._running, timeout=LOOK_S, return_when=FIRST_COMPLETED).done
                for future in ready:
                    self._take(future, self._running.pop(future))
                on_tick()
                self._require_workers(heard=bool(ready))
        except BaseException:
            self._cancel()
            raise

    def _top_up(self) -> bool:
        """Give the workers what they can take; whether anything is on its way."""
        there = self._places()
        fitting = {worker: width for worker, width in there.items() if worker not in self._refused}
        for future, sent in list(self._running.items()):
            if sent.only and not sent.only & fitting.keys():  # nobody is left who may take it
                future.cancel()
                del self._running[future]
                sent.exercise.put_back(sent.submissions)
        only = frozenset(fitting) if self._refused else frozenset()
        self._width = max(1, sum(fitting.values()))
        while len(self._running) < SHARES_EACH * self._width and (found := self._next_share()):
            if there and not fitting:
                worker = next(iter(there))
                fields = {"worker": worker, "differences": self._refused[worker]}
                raise UsageError(Message("batch.cluster_refuses", fields))
            exercise, chosen = found
            where = {"workers": sorted(only)} if only else {}
            future = self._executor.submit(self._grade, exercise.share(chosen), **where)
            self._running[future] = _Sent(exercise, chosen, only)
        return bool(self._running)

    def _next_share(self) -> tuple[_Exercise, tuple[Submission, ...]] | None:
        for exercise in self._exercises:
            if chosen := exercise.take(exercise.size):
                return exercise, chosen
        return None

    def _begin(self, work: Work) -> _Exercise:
        setup = work.setup
        course = load_course(setup.course)
        needs = identity(course, load_exercise(course, setup.exercise))
        share = partial(Share, replace(setup, finish=no_page), identity=needs, weak=self._weak)
        return _Exercise(work, share, min(MOST, max(FEWEST, work.expected // (SHARES * self._width))))

    def _require_workers(self, *, heard: bool) -> None:
        """Raises UsageError where nothing was heard for long, and nobody is there who could answer."""
        self._forsaken = 0 if heard or self._places() else self._forsaken + 1
        if self._forsaken >= PATIENCE:
            raise UsageError(Message("batch.cluster_forsaken"))

    def _take(self, future: Future[Graded], sent: _Sent) -> None:
        try:
            graded = future.result()
        except self._lost as error:
            sent.exercise.bury(sent.submissions, error)
            return
        except CancelledError as error:
            raise UsageError(Message("batch.cluster_gone")) from error
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            raise UsageError(Message("batch.cluster_cannot", {"reason": reason})) from error
        if graded.refused:
            sent.exercise.put_back(sent.submissions)
            if graded.worker not in self._refused:
                self._refused[graded.worker] = graded.refused
                self._on_refused(graded.worker, graded.refused)
            return
        if graded.isolation is not None:
            self._on_isolation(graded.isolation)
        sent.exercise.keep(graded)

    def _cancel(self) -> None:
        for future in self._running:
            future.cancel()
        self._running.clear()
