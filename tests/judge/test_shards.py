"""The processes of a batch: each has a core of its own where there are as many, and none waits for a slow one."""

from __future__ import annotations

import ast
import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from grader.errors import ContentError
from grader.judge.seed_process import cores
from grader.judge.shard import Done, Setup, Work
from grader.judge.shards import Shards
from grader.model import Isolation, Submission

if TYPE_CHECKING:
    from conftest import Bench

ROOT = Path(__file__).parents[2]
EXERCISE = "04_concat"
SOURCE = """
import os
import numpy as np

print(os.sched_getaffinity(0))

def concat_heads(heads):
    return np.concatenate([*heads], axis=1)
"""


def submission(i: int) -> Submission:
    source = f"{SOURCE}# {i}\n".encode()
    return Submission(f"s{i}", EXERCISE, "concat.py", source, hashlib.sha256(source).hexdigest())


ENDLESS = replace(submission(0), source=b"import time\ntime.sleep(1000)")


@dataclass
class Heard:
    """What a coordinator is told, in the order in which it is known; it may end when it hears of one submission."""

    done: list[Done] = field(default_factory=list)
    faults: list[Exception] = field(default_factory=list)
    until: str = ""

    def take(self, done: Done) -> None:
        self.done.append(done)
        if done.report.who == self.until:
            raise Enough

    @property
    def names(self) -> list[str]:
        return [one.report.who for one in self.done]

    def work(self, given: Sequence[Submission], **setup: Any) -> Work:
        told = Setup(**{"course": ROOT, "exercise": EXERCISE, "finish": str, "packages": ("numpy",), **setup})
        return Work(
            *(told, given, len(given), self.take),
            on_lost=lambda lost: pytest.fail(lost.who),
            on_fault=self.faults.append,
        )


class Enough(Exception):
    """All that can be graded is."""


@pytest.fixture
def patient(bench: Bench) -> Path:
    """A course that waits for a submission longer than any test."""
    with (bench.root / "exercises" / EXERCISE / "exercise.toml").open("a", encoding="utf-8") as file:
        file.write("[limits]\nwall_s = 60.0\n")
    return bench.root


def test_nobody_waits_behind_a_slow_one_at_the_end(patient: Path) -> None:
    """A submission that goes on and on keeps its own process busy; all others are graded by the other one."""
    heard = Heard(until="s4")
    with Shards(2, lambda _isolation: None) as shards, pytest.raises(Enough):
        shards.grade([heard.work([ENDLESS, *map(submission, range(1, 5))], course=patient)])
    assert (heard.names, heard.faults) == (["s1", "s2", "s3", "s4"], [])


@pytest.mark.parametrize("packages", [("numpy",), ("numpy", "click")], ids=["the same packages", "others"])
def test_no_exercise_waits_for_the_one_before(patient: Path, packages: tuple[str, ...]) -> None:
    """One submission of the first goes on and on: those that come after it are graded by the other process.

    Where the first has no more submissions, the other process begins with the second at once.
    """
    heard, begun = Heard(until="s3"), list[int]()

    def works() -> Iterator[Work]:
        yield heard.work([ENDLESS], course=patient)
        for given in ([submission(1)], [submission(2), submission(3)]):
            begun.append(len(heard.done))
            yield heard.work(given, packages=packages)

    with Shards(2, lambda _isolation: None) as shards, pytest.raises(Enough):
        shards.grade(works())
    assert (heard.names, heard.faults) == (["s1", "s2", "s3"], [])
    assert begun == [0, 1]  # none is asked for before somebody can grade it


def test_isolation_is_accepted_anew_each_time(bench: Bench) -> None:
    """Processes that stay are judged again: whoever comes next may not accept what was accepted before."""
    heard, accepted = Heard(), list[Isolation]()

    def accept(isolation: Isolation) -> None:
        accepted.append(isolation)
        if len(accepted) == 2:
            raise Enough

    with Shards(1, accept) as shards:
        shards.grade([heard.work([submission(i)], course=bench.root) for i in range(2)])
        assert len(accepted) == 1
        with pytest.raises(Enough):
            shards.grade([heard.work([submission(2)], course=bench.root)])
    assert heard.names == ["s0", "s1"]


def test_a_broken_exercise_stops_no_other(bench: Bench) -> None:
    """The author's mistake in one suite is told; nothing of that exercise is graded, everything of the others is."""
    bench.write_suite("import nowhere\n\ndef test_nothing(submission):\n    pass\n")
    heard = Heard()
    with Shards(2, lambda _isolation: None) as shards:
        for before in ([], [submission(1)]):
            broken = heard.work([submission(i) for i in range(9)], course=bench.root)
            shards.grade([heard.work(before), broken, heard.work([submission(2)])])
    assert sorted(heard.names) == ["s1", "s2", "s2"]
    assert {type(fault) for fault in heard.faults} == {ContentError}


def processes_below(pid: int) -> list[int]:
    below = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return [*below, *(deeper for child in below for deeper in processes_below(child))]


@pytest.mark.parametrize("count", [cores(), cores() + 1], ids=["as many as cores", "another number"])
def test_each_core_has_a_process_of_its_own(count: int) -> None:
    """A process, its zygote and the workers of its submissions share one core; another number of them may use all."""
    here, before, heard = os.sched_getaffinity(0), processes_below(os.getpid()), Heard()
    with Shards(count, lambda _isolation: None) as shards:
        shards.grade([heard.work([submission(i) for i in range(4 * count)])])
        used = [os.sched_getaffinity(pid) for pid in processes_below(os.getpid()) if pid not in before]
    assert {one.report.points for one in heard.done} == {10}
    seen = [ast.literal_eval(one.report.printed.text) for one in heard.done]
    if count == len(here):
        assert {len(mine) for mine in seen} == {1}
        assert set().union(*seen) <= here
        idle = 2 * (len(here) == 1)  # the seed and the first zygote may use all cores, which then are one
        assert [used.count({core}) - idle for core in sorted(here)] == [2] * count  # the process and its zygote
    else:
        assert all(mine == here for mine in [*seen, *used])
