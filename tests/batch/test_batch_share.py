"""A worker of a cluster: what it refuses to grade, and what it leaves behind."""

import re
import socket
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from made_class import EXERCISE, ROOT, WRONG

from grader.course import Course, load_course, load_exercise
from grader.judge import share as share_module
from grader.judge.identity import identity
from grader.judge.shard import Ended, Setup, Work
from grader.judge.share import Share, WhenIdle, _Here, _TooWeak, grade_share
from grader.model import Isolation, Submission


@pytest.fixture
def setup() -> Setup:
    """What is graded."""
    return Setup(ROOT, EXERCISE, str, ("numpy",))


def test_a_worker_ends_its_processes_when_nothing_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    """They end a while after the last share, never during one."""
    monkeypatch.setattr(share_module, "IDLE_S", 0)
    ended = threading.Event()
    at_work = WhenIdle(ended.set)
    with at_work:
        at_work._look()
        assert not ended.is_set()
    assert ended.wait(60)


def test_a_share_is_the_work_after_which_processes_end(setup: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a share is graded its processes stay; when it is, they are on their way to their end."""
    monkeypatch.setattr(share_module, "IDLE_S", 0)
    here, ended = _Here(), threading.Event()
    monkeypatch.setattr(share_module, "_here", here)
    here.at_work = WhenIdle(ended.set)

    def look(works: list[Work]) -> None:
        here.at_work._look()
        assert not ended.is_set()

    monkeypatch.setattr(here.shards, "grade", look)
    grade_share(Share(setup, (), {}, weak=False))
    assert ended.wait(60)


def test_processes_keep_nothing_of_a_course_that_was_mended(own_course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The catalogue of mistakes changes between two shares: the second is graded with what it says by then."""
    here = _Here()
    monkeypatch.setattr(share_module, "_here", here)
    catalogue, old, new = own_course / "exercises/mistakes.toml", "Heads are merged by reshape alone", "Merged anew"
    wrong = Submission("ada", EXERCISE, "concat.py", WRONG.encode(), "0")

    def named() -> list[str]:
        course = load_course(own_course)
        needs = identity(course, load_exercise(course, EXERCISE))
        graded = grade_share(Share(Setup(own_course, EXERCISE, str, ("numpy",)), (wrong,), needs, weak=True))
        return [finding.mistake.title.en for done in graded.done for finding in done.report.diagnosis.findings]

    with here.shards:
        assert named() == [old]
        catalogue.write_text(catalogue.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
        assert named() == [new]


def test_a_worker_that_cannot_lock_submissions_away_grades_only_where_it_may() -> None:
    """The worker itself stops before it grades anything; where weak isolation is allowed, it goes on."""
    here, weak = _Here(), Isolation("weak", ("process",))
    with pytest.raises(_TooWeak):
        here._note(weak)
    here.weak = True
    here._note(weak)
    assert here.isolation == weak


@pytest.mark.parametrize("part", ["manyheads", "Python", "numpy", f"solutions/{EXERCISE}", "exercises/mistakes.toml"])
def test_a_worker_that_would_grade_otherwise_refuses(course: Course, setup: Setup, part: str) -> None:
    """A share says what it needs; a worker with another course, grader or package grades nothing and says which."""
    needs = {**identity(course, load_exercise(course, EXERCISE)), part: "another"}
    graded = grade_share(Share(setup, (), needs, weak=False))
    assert (graded.worker, graded.done, graded.ended) == (socket.gethostname(), (), Ended())
    assert re.fullmatch(f"{part}: [^;]+ ≠ another", graded.refused)


def test_a_course_that_is_not_there_is_the_installed_one(course: Course, setup: Setup, tmp_path: Path) -> None:
    """A worker on another machine takes its own course, which must be the same; an unknown exercise is refused."""
    needs = identity(course, load_exercise(course, EXERCISE))
    assert grade_share(Share(replace(setup, course=tmp_path / "no"), (), needs, weak=False)).refused == ""
    other = replace(setup, course=tmp_path / "no", exercise="99_other")
    assert grade_share(Share(other, (), needs, weak=False)).refused == "exercises/99_other: -"
