"""A share of a batch on another machine: what its worker is told, what it does, and what it answers.

    coordinator ---Share---> worker: Shards ---> shard ---> zygote ---> one worker for each submission
                <--Graded---

The worker writes nothing, and keeps its processes from one share to the next, while they follow each other.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from grader.course import Course, installed_course, load_course, load_exercise
from grader.errors import ContentError, GraderError
from grader.judge.identity import identity
from grader.judge.shard import Done, Ended, Setup, Work
from grader.judge.shards import Shards
from grader.model import GradeReport, Isolation, Submission

IDLE_S = 60.0  # after which a worker ends its processes; the next share starts others


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
    """What it came to; nothing of it is graded where it is refused, or where the isolation is too weak.

    Attributes:
        refused: what is not as it has to be, "" where nothing is.
    """

    worker: str = ""
    done: tuple[Done, ...] = ()
    lost: tuple[Submission, ...] = ()
    isolation: Isolation | None = None
    ended: Ended = field(default_factory=Ended)
    refused: str = ""


class _TooWeak(Exception):
    """Submissions cannot be locked away on this machine, and that was not allowed."""


class WhenIdle:
    """The context of one thread; when it has not been in it for a while, something is done by another one."""

    def __init__(self, do: Callable[[], None]) -> None:
        self._do = do
        self._busy = threading.Lock()
        self._timer: threading.Timer | None = None

    def __enter__(self) -> None:
        self._busy.acquire()
        if self._timer is not None:
            self._timer.cancel()

    def __exit__(self, *_exception: object) -> None:
        self._busy.release()
        self._timer = threading.Timer(IDLE_S, self._look)
        self._timer.daemon = True
        self._timer.start()

    def _look(self) -> None:
        if self._busy.acquire(blocking=False):
            try:
                self._do()
            finally:
                self._busy.release()


class _Here(threading.local):
    """The sandbox of one thread of a worker: it stays from one share to the next, while they follow each other."""

    def __init__(self) -> None:
        self._identity: dict[str, str] = {}
        self.weak = False
        self.isolation: Isolation | None = None
        self.shards = Shards(1, self._note)
        self.at_work = WhenIdle(self.shards.end)

    def grade(self, work: Work, identity: Mapping[str, str], *, weak: bool) -> None:
        """Grade with fresh processes where something differs, such as a course mended since, of which some is kept."""
        with self.at_work:
            self.weak = weak
            if any(self._identity.get(part, here) != here for part, here in identity.items()):
                self.shards.end()
                self._identity.clear()
            self._identity |= identity
            self.shards.grade([work])

    def _note(self, isolation: Isolation) -> None:
        self.isolation = isolation
        if isolation.level == "weak" and not self.weak:
            raise _TooWeak


_here = _Here()


def grade_share(share: Share, worker: str = "") -> Graded:
    """Grade a share on this machine, with the course at the same path, else with the one that is installed here.

    Args:
        worker: what this one calls itself; the name of the machine where it has no other.
    """
    worker = worker or socket.gethostname()
    done: list[Done] = []
    lost: list[Submission] = []
    faults: list[ContentError | GraderError] = []
    try:
        course = _course_here(share)
        setup = replace(share.setup, course=course.root)
        work = Work(setup, share.submissions, len(share.submissions), done.append, lost.append, faults.append)
        _here.grade(work, share.identity, weak=share.weak)
    except _TooWeak:
        done.clear()
    except _OtherIdentity as error:
        return Graded(worker, refused=str(error))
    except ContentError as error:
        faults.append(error)
    content = next((str(fault) for fault in faults if isinstance(fault, ContentError)), "")
    fault = str(faults[0]) if faults and not content else ""
    return Graded(worker, tuple(done), tuple(lost), _here.isolation, Ended(content, fault))


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


def no_page(_report: GradeReport) -> None:
    """Pages are made by the coordinator."""
