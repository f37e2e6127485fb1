"""Exercises while they are graded: each begins when those before leave somebody without work."""

from __future__ import annotations

import itertools
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from typing import Generic, TypeVar

from grader.errors import ContentError, GraderError
from grader.judge.shard import Work
from grader.model import Submission

MOST_LOSSES = 3  # graders that one submission may take along
MOST_RETRIES = 20  # in all: where the suite itself fails, each submission would take graders along


class Begun:
    """One exercise: what is left of it, and what became of those who graded it.

    Attributes:
        left: submissions that nobody has been given yet.
        again: those that somebody had who was lost; they are given out first, one by one.
    """

    def __init__(self, work: Work) -> None:
        self.work = work
        self.left = work.expected
        self.again: deque[Submission] = deque()
        self._waiting = iter(work.submissions)
        self._losses: Counter[tuple[str, str]] = Counter()
        self._given_up = False

    @property
    def to_give(self) -> int:
        return 0 if self._given_up else self.left + len(self.again)

    def take(self, most: int = 1) -> tuple[Submission, ...]:
        """The next submissions, none where there are no more."""
        if self._given_up:
            return ()
        if self.again:
            return (self.again.popleft(),)
        taken = tuple(itertools.islice(self._waiting, most))
        self.left = self.left - most if len(taken) == most else 0
        return taken

    def put_back(self, taken: tuple[Submission, ...]) -> None:
        """Nobody was lost with them, and nobody has graded them."""
        self._waiting = itertools.chain(taken, self._waiting)
        self.left += len(taken)

    def may_retry(self, suspect: Submission) -> bool:
        return self._losses.total() < MOST_RETRIES and self._losses[_identity(suspect)] < MOST_LOSSES - 1

    def lose(self, suspect: Submission, times: int = 1) -> None:
        """Who graded it is gone: it is tried again, or handed back where that happened too often."""
        self._losses[_identity(suspect)] += times
        if self._losses[_identity(suspect)] >= MOST_LOSSES:
            self.work.on_lost(suspect)
        else:
            self.again.append(suspect)

    def blame(self, fault: str) -> None:
        """Tell a fault of ours; what can be graded still is."""
        self.work.on_fault(GraderError(fault))

    def give_up(self, content: str) -> None:
        """Tell what is wrong with the course; nothing more of this exercise is given to anybody."""
        self._given_up = True
        self.work.on_fault(ContentError(content))


_Begun = TypeVar("_Begun", bound=Begun)


class Exercises(Generic[_Begun]):
    """Those that were begun, in their order, and then those that come, each begun when it is asked for."""

    def __init__(self, works: Iterable[Work], begin: Callable[[Work], _Begun]) -> None:
        self._coming = iter(works)
        self._begin = begin
        self._begun: list[_Begun] = []

    def __iter__(self) -> Iterator[_Begun]:
        yield from tuple(self._begun)
        for work in self._coming:
            self._begun.append(self._begin(work))
            yield self._begun[-1]


def _identity(submission: Submission) -> tuple[str, str]:
    return submission.who, submission.sha256
