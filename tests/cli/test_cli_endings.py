"""Every way the command can end: faults of the course, faults of ours, Ctrl-C, a closed pipe."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from small_course import RIGHT, WRONG, Grade, write_answer

Run = Callable[..., Grade]


@pytest.fixture
def broken(course: Path, tmp_path: Path) -> Path:
    """A copy of the course, to be broken."""
    return Path(shutil.copytree(course, tmp_path / "broken"))


def test_a_fault_of_the_course_is_told_without_traceback(grade: Run, home: Path, broken: Path) -> None:
    """A missing suite is exit code 3 and names the file; the program itself is right, so there is no traceback."""
    (broken / "solutions" / "01_double" / "test_double_hidden.py").unlink()
    write_answer(home, "01_double", RIGHT)
    done = grade("exercises/01_double", cwd=home, on=broken)
    assert done.code == 3
    assert done.err.startswith("The course has a fault that its author must mend; it costs you no points.")
    assert "test_double_hidden.py" in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    ("path", "text", "said"),
    [
        ("solutions/01_double/probes.lock.json", "<<<<<<< HEAD\n", "grade audit --choose 01_double"),
        ("exercises/mistakes.toml", "", "write [mistake.forgets-double] in exercises/mistakes.toml"),
    ],
)
def test_a_fault_that_a_diagnosis_meets_is_told_without_traceback(
    grade: Run, home: Path, broken: Path, path: str, text: str, said: str
) -> None:
    """What the author must mend is one line also where it shows only once a submission is wrong."""
    (broken / path).write_text(text)
    write_answer(home, "01_double", WRONG)
    done = grade("exercises/01_double", "--no-report", cwd=home, on=broken)
    assert done.code == 3
    assert done.err.startswith("The course has a fault that its author must mend; it costs you no points.")
    assert said in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize("word", ["quiz", "audit"])
def test_where_nothing_is_graded_no_points_are_told_of(grade: Run, home: Path, broken: Path, word: str) -> None:
    """Who builds a bank or audits a course hears what to mend, and nothing about points."""
    shutil.rmtree(broken / "exercises")
    (broken / "exercises").mkdir()
    done = grade(word, *(["build"] if word == "quiz" else []), cwd=home, on=broken)
    assert done.code == 3
    assert done.err.startswith("The course has a fault that its author must mend. ")
    assert "points" not in done.err


def test_an_empty_course_is_told(grade: Run, home: Path, broken: Path) -> None:
    """A course without exercises is its author's fault and names the file that is missing."""
    shutil.rmtree(broken / "exercises")
    (broken / "exercises").mkdir()
    done = grade("exercises", cwd=home, on=broken)
    assert done.code == 3
    assert "exercises: found no exercise.toml; write one (see AUTHORING.md)." in done.err


def test_a_fault_in_a_suite_costs_no_points_and_shows_all(grade: Run, home: Path, broken: Path) -> None:
    """A suite that raises is exit code 3 with the full traceback; the other exercise is graded all the same."""
    suite = broken / "solutions" / "01_double" / "test_double_hidden.py"
    suite.write_text(suite.read_text().replace("x = seeded((3, 4))", "raise RuntimeError('the suite fell over')"))
    write_answer(home, "01_double", RIGHT)
    write_answer(home, "02_negate", "def negate(x):\n    return -x\n")
    done = grade("exercises", "--json", "all.json", cwd=home, on=broken)
    assert done.code == 3
    assert "Traceback" in done.err
    assert "RuntimeError: the suite fell over" in done.err
    assert "of a hidden check or of this machine, not of a submission; it costs no points." in done.err
    verdicts = [report["verdict"] for report in json.loads((home / "all.json").read_text())]
    assert verdicts == ["grader_error", "accepted"]


def test_ctrl_c_ends_everything_quietly(home: Path, broken: Path, environment: dict[str, str]) -> None:
    """Ctrl-C while a submission runs is exit code 130, one word, no traceback, and no process is left."""
    ready = home / "ready"
    os.mkfifo(ready)
    suite = broken / "solutions" / "01_double" / "test_double_hidden.py"
    signal_ready = f"x = seeded((3, 4))\n    open({str(ready)!r}, 'w').close()"
    suite.write_text(suite.read_text().replace("x = seeded((3, 4))", signal_ready))
    write_answer(home, "01_double", "def double(x):\n    while True:\n        pass\n")
    command = [sys.executable, "-m", "grader.cli", "exercises/01_double", "--course", str(broken)]
    with subprocess.Popen(command, cwd=home, env=environment, stderr=subprocess.PIPE, text=True) as running:
        ready.read_bytes()  # waits until the suite runs
        children = Path(f"/proc/{running.pid}/task/{running.pid}/children").read_text().split()
        running.send_signal(signal.SIGINT)
        _out, err = running.communicate(timeout=20)
    assert (running.returncode, err) == (130, "Stopped.\n")
    assert children
    assert not [child for child in children if Path(f"/proc/{child}").exists()]


def test_a_reader_that_goes_away_is_no_crash(home: Path, environment: dict[str, str]) -> None:
    """Where nobody reads stdout any more, the program ends as others do, by code 141, without a traceback."""
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "grader.cli", "--help"]
    done = subprocess.run(
        command, cwd=home, env=environment, stdout=write, stderr=subprocess.PIPE, timeout=20, check=False
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (141, b"")


def test_a_full_disk_is_said(home: Path, environment: dict[str, str]) -> None:
    """Where stdout cannot be written, the exit code is 3 and stderr says why."""
    command = [sys.executable, "-m", "grader.cli", "--help"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command, cwd=home, env=environment, stdout=full, stderr=subprocess.PIPE, timeout=20, check=False
        )
    assert done.returncode == 3
    assert b"No space left on device" in done.stderr
