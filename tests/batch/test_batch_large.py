"""A whole class: three hundred submissions, hostile ones among them, killed on the way."""

import hashlib
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from made_class import EXERCISE, LOOP, RIGHT, ROOT, STARTER, SYNTAX, WRONG, Ran, written

Batch = Callable[..., Ran]
ATTACKS = ROOT / "tests" / "hostile" / "attacks"
# name -> what it must not get; each needs no place that only the hostile tests make
HOSTILE = (
    *("fork_bomb", "memory_heap", "loop_c_level", "exit_os_exit", "kill_parent", "output_flood", "segfault"),
    *("always_equal", "patched_numpy", "write_results", "recursion_past_the_stack"),
)
COMMAND = [sys.executable, "-m", "grader.cli", "batch", "in", "--out", "out", "--exercise", EXERCISE]


def a_class(count: int) -> dict[str, str]:
    """Made submissions, each with other bytes: right, wrong, untouched and broken ones in turn."""
    kinds = (RIGHT, WRONG, RIGHT.replace("axis=-1", "axis=1"), STARTER, SYNTAX, WRONG.replace("reshape", "resize"))
    return {f"s{i:03}/concat.py": f"{kinds[i % len(kinds)]}# {i}\n" for i in range(count)}


def content(folder: Path) -> list[tuple[object, ...]]:
    """What a gradebook holds, without times and numbers of runs."""
    wanted = (
        "SELECT student, exercise, state, place, s.sha256, r.key, verdict, points, max_points, diagnosis, report "
        "FROM submissions s LEFT JOIN results r ON r.submission_id = s.id AND r.current ORDER BY student, exercise"
    )
    checks = (
        "SELECT student, c.position, c.name, c.outcome, c.points FROM checks c JOIN results r ON r.id = c.result_id "
        "JOIN submissions s ON s.id = r.submission_id WHERE r.current ORDER BY student, c.position"
    )
    with sqlite3.connect(folder / "gradebook.db") as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return [*connection.execute(wanted), *connection.execute(checks)]


def graded(folder: Path) -> int:
    """How many results there are by now."""
    try:
        with sqlite3.connect(f"file:{folder / 'gradebook.db'}?mode=ro", uri=True) as connection:
            return int(connection.execute("SELECT count(*) FROM results").fetchone()[0])
    except sqlite3.OperationalError:  # not made yet
        return 0


@pytest.mark.slow
def test_killed_again_and_again_it_ends_like_an_undisturbed_run(
    batch: Batch, environment: dict[str, str], tmp_path: Path
) -> None:
    """Situations C024 and C142: SIGKILL of the process group at any moment loses no result and doubles none."""
    written(tmp_path / "in", a_class(60))
    undisturbed = batch("in", out="whole")
    assert undisturbed.code == 0, undisturbed.err
    seen = 0
    for step in (0, 1, 7, 12, 20):
        with subprocess.Popen(
            COMMAND, cwd=tmp_path, env=environment, start_new_session=True, stdout=subprocess.DEVNULL
        ) as running:
            while running.poll() is None and graded(tmp_path / "out") < seen + step:
                os.sched_yield()
            os.killpg(running.pid, signal.SIGKILL)
        now = graded(tmp_path / "out")
        assert now >= seen
        seen = now
    assert 0 < seen < 60
    done = batch("in")
    assert (done.code, f"Graded before: {seen}." in done.err) == (0, True), done.err
    assert content(tmp_path / "out") == content(tmp_path / "whole")
    with sqlite3.connect(tmp_path / "out" / "gradebook.db") as connection:
        assert connection.execute("SELECT count(*) FROM results").fetchone() == (60,)
    pages = [sorted(path.relative_to(out) for path in out.rglob("*.html")) for out in (done.folder, undisturbed.folder)]
    assert pages[0] == pages[1]


@pytest.mark.slow
@pytest.mark.hostile
def test_hostile_submissions_neither_spoil_nor_stop_a_class(batch: Batch, tmp_path: Path) -> None:
    """Situations C001, C005 and C013: no attack is accepted, and all others get what they deserve."""
    attacks = {f"x_{name}/concat.py": (ATTACKS / f"{name}.py").read_text(encoding="utf-8") for name in HOSTILE}
    files = {**a_class(24), **attacks, **{f"loop{i}/concat.py": f"# {i}\n{LOOP}" for i in range(3)}}
    names = sorted(files, key=lambda name: hashlib.sha256(name.encode()).digest())  # in no order
    done = batch(written(tmp_path / "in", {name: files[name] for name in names}))
    assert done.code == 0, done.err
    alone = batch(written(tmp_path / "alone", a_class(24)), out="alone_out")
    kept = ("verdict", "points", "mistakes")
    for student, row in alone.rows.items():
        assert [done.rows[student][name] for name in kept] == [row[name] for name in kept], student
    assert {row["verdict"] for student, row in done.rows.items() if student.startswith("loop")} == {"time_limit"}
    assert [
        student for student, row in done.rows.items() if student.startswith("x_") and row["verdict"] == "accepted"
    ] == []


def readable(path: Path) -> str:
    """A file of /proc, "" where its process has ended."""
    try:
        return path.read_text()
    except OSError:
        return ""


@pytest.mark.slow
def test_three_hundred_submissions_in_flat_memory(environment: dict[str, str], tmp_path: Path) -> None:
    """Situation C057: every input has exactly one row; the last third needs no more memory than the first."""
    written(tmp_path / "in", a_class(300))
    memory: dict[int, int] = {}
    with subprocess.Popen(COMMAND, cwd=tmp_path, env=environment, stdout=subprocess.DEVNULL) as running:
        while running.poll() is None:
            done = graded(tmp_path / "out")
            for mark in (60, 290):
                if done >= mark and mark not in memory:
                    memory[mark] = resident_kib(running.pid)
    assert running.returncode == 0
    rows = Ran(0, "", "", tmp_path / "out").rows
    assert sorted(rows) == [f"s{i:03}" for i in range(300)]
    assert {row["status"] for row in rows.values()} == {"graded"}
    assert memory[290] < 1.15 * memory[60] + 8192


def resident_kib(pid: int) -> int:
    """Memory of a process, its child that forks the shards, and the shards."""
    total = 0
    for process in (pid, *children_of(pid), *shards_of(pid)):
        found = [line for line in readable(Path(f"/proc/{process}/status")).splitlines() if line.startswith("VmRSS:")]
        total += int(found[0].split()[1]) if found else 0
    return total


def children_of(pid: int) -> list[int]:
    """The processes that a process has started."""
    return [int(child) for child in readable(Path(f"/proc/{pid}/task/{pid}/children")).split()]


def shards_of(pid: int) -> list[int]:
    """The processes of a batch that grade."""
    found = [child for seed in children_of(pid) for child in children_of(seed)]
    return [child for child in found if "judge.seed" in readable(Path(f"/proc/{child}/cmdline"))]  # not the zygote


def zygotes_of(pid: int) -> list[int]:
    """The first zygote of a batch, which all the others are forked from."""
    started = [child for seed in children_of(pid) for child in children_of(seed)]
    waiting = [child for child in started if "sandbox.zygote" in readable(Path(f"/proc/{child}/cmdline"))]
    return [child for each in waiting for child in children_of(each)] or waiting  # it serves in a namespace of its own


KILLED = {"a shard": shards_of, "what shards are forked from": children_of, "the first zygote": zygotes_of}


@pytest.mark.slow
@pytest.mark.parametrize("which", KILLED.values(), ids=KILLED)
def test_a_process_that_is_killed_loses_nothing(
    which: Callable[[int], list[int]], environment: dict[str, str], tmp_path: Path
) -> None:
    """Situation C057: a process of the batch that the kernel kills is replaced, and its submissions are graded."""
    written(tmp_path / "in", a_class(40))
    with subprocess.Popen(COMMAND, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True) as running:
        for least in (3, 12):
            while running.poll() is None and graded(tmp_path / "out") < least:
                os.sched_yield()
            for child in which(running.pid)[:1]:
                os.kill(child, signal.SIGKILL)
        _out, err = running.communicate(timeout=120)
    assert running.returncode == 0, err
    rows = Ran(0, "", "", tmp_path / "out").rows
    assert len(rows) == 40
    assert {row["status"] for row in rows.values()} == {"graded"}


@pytest.mark.slow
def test_processes_stay_from_one_exercise_to_the_next(environment: dict[str, str], tmp_path: Path) -> None:
    """What is slow to start is started once for all exercises with the same packages."""
    names = ("01_split_heads", EXERCISE)
    for name in names:
        modules = {path.name for path in (ROOT / "exercises" / name).glob("*.py")}
        source = next(path for path in (ROOT / "solutions" / name).glob("*.py") if path.name in modules)
        written(tmp_path / "in", {f"s{i}/{source.name}": f"{source.read_text()}# {i}\n" for i in range(4)})
    command = [*COMMAND[:-2], *(word for name in names for word in ("--exercise", name))]
    named: dict[int, str] = {}  # each process as it was seen last: on its way to be a zygote it is a copy of the seed
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.DEVNULL) as running:
        while running.poll() is None:
            for seed in children_of(running.pid):
                for pid in (seed, *children_of(seed)):
                    named[pid] = readable(Path(f"/proc/{pid}/cmdline")) or named.get(pid, "")
    assert (running.returncode, graded(tmp_path / "out")) == (0, 8)
    ours = [pid for pid, command_line in named.items() if "judge.seed" in command_line]
    assert 2 <= len(ours) <= 1 + len(os.sched_getaffinity(0))  # the seed, and a shard for each core
