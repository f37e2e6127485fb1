"""The processes of a batch: each has a core of its own where there are as many, and none waits for a slow one."""

from __future__ import annotations

import ast
import hashlib
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from grader.judge.seed_process import cores
from grader.judge.shard import Done, Setup, Work
from grader.judge.shards import Shards
from grader.model import Submission

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


def graded(count: int, given: Sequence[Submission]) -> list[Done]:
    """What becomes of submissions, in the order in which it is known."""
    done: list[Done] = []
    setup = Setup(ROOT, EXERCISE, str, ("numpy",))
    with Shards(count, lambda _isolation: None) as shards:
        shards.grade(Work(setup, given, len(given), done.append, lambda lost: pytest.fail(lost.who)))
    return done


def test_nobody_waits_behind_a_slow_one_at_the_end() -> None:
    """A submission that uses up its time keeps its own process busy; all others are graded by the other one."""
    slow = replace(submission(0), source=b"while True: pass")
    done = graded(2, [slow, *map(submission, range(1, 5))])
    assert [one.report.who for one in done] == ["s1", "s2", "s3", "s4", "s0"]


def processes_below(pid: int) -> list[int]:
    below = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return [*below, *(deeper for child in below for deeper in processes_below(child))]


@pytest.mark.parametrize("count", [cores(), cores() + 1], ids=["as many as cores", "another number"])
def test_each_core_has_a_process_of_its_own(count: int) -> None:
    """A process, its zygote and the workers of its submissions share one core; another number of them may use all."""
    here, before = os.sched_getaffinity(0), processes_below(os.getpid())
    done: list[Done] = []
    setup = Setup(ROOT, EXERCISE, str, ("numpy",))
    with Shards(count, lambda _isolation: None) as shards:
        given = [submission(i) for i in range(4 * count)]
        shards.grade(Work(setup, given, len(given), done.append, lambda lost: pytest.fail(lost.who)))
        used = [os.sched_getaffinity(pid) for pid in processes_below(os.getpid()) if pid not in before]
    assert {one.report.points for one in done} == {10}
    seen = [ast.literal_eval(one.report.printed.text) for one in done]
    if count == len(here):
        assert {len(mine) for mine in seen} == {1}
        assert set().union(*seen) <= here
        idle = 2 * (len(here) == 1)  # the seed and the first zygote may use all cores, which then are one
        assert [used.count({core}) - idle for core in sorted(here)] == [2] * count  # the process and its zygote
    else:
        assert all(mine == here for mine in [*seen, *used])
