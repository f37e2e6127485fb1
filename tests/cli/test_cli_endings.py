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

from grader.cli.fault import told
from grader.errors import GraderError
from grader.model import Message

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
    assert done.err.count("Traceback") == 1
    assert "RuntimeError: the suite fell over" in done.err
    line = suite.read_text()[: suite.read_text().index("raise RuntimeError")].count("\n") + 1
    assert f"\n{suite}, line {line} (test_" in done.err
    assert "It is no fault of a submission and costs no points. Mend that line" in done.err
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


@pytest.mark.parametrize(
    "arguments",
    [
        ("--help",),
        ("01_double", "--no-report"),
        ("list",),
        ("list", "--json", "-"),
        ("quiz", "due"),
        ("batch", "in", "--out", "out"),
    ],
)
def test_output_that_cannot_be_written_is_said(
    home: Path, course: Path, environment: dict[str, str], arguments: tuple[str, ...]
) -> None:
    """Where stdout takes nothing, as on a full disk, one line says why, and the exit code is 2; no traceback."""
    write_answer(home, "01_double", RIGHT)
    on = [] if arguments[0] in ("--help", "quiz") else ["--course", str(course)]
    shutil.copytree(home / "exercises", home / "in" / "alice")
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "grader.cli", *arguments, *on],
            cwd=home,
            env={**environment, "XDG_DATA_HOME": str(home)},
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
        )
    assert done.stderr == b"The output cannot be written: No space left on device. Make room, or send it elsewhere.\n"
    assert done.returncode == 2


def test_another_file_that_cannot_be_written_is_not_taken_for_the_output(home: Path, grade: Run) -> None:
    """A full disk under a file that was asked for is told with the name of that file."""
    done = grade("list", "--json", "/dev/full", cwd=home)
    assert (done.code, "/dev/full" in done.err, "The output" in done.err) == (2, True, False)


def error_of(cause: Exception | None, text: str) -> GraderError:
    """A fault as the command meets it."""
    with pytest.raises(GraderError) as met:
        raise GraderError(text) from cause
    return met.value


def test_of_chained_tracebacks_the_one_that_says_where_is_told() -> None:
    """The first of a batch's, the cause of a run's; without either the whole one, and another sentence."""
    frame = 'File "/c/solutions/01_x/test_x_hidden.py", line 5, in test_it'
    first = f"Traceback (most recent call last):\n  {frame}\nRuntimeError: fell\n"
    chained = (
        f"01_x: met a fault:\n{first}\nThe above exception was the direct cause of the following exception:\n\nmore"
    )
    assert told(error_of(None, chained), graded=True) == (
        f"01_x: met a fault:\n{first}",
        Message("cli.check_fault", {"file": "/c/solutions/01_x/test_x_hidden.py", "line": "5", "name": "test_it"}),
    )
    text, message = told(error_of(ValueError("in the middle"), "graded"), graded=True)
    assert (text, message.key) == ("ValueError: in the middle\n", "cli.grader_fault")
    ours = chained.replace("/c/solutions/01_x/test_x_hidden.py", "/home/me/solutions/manyheads/grader/checks.py")
    assert told(error_of(None, ours), graded=True)[1].key == "cli.grader_fault"  # only the checkout lies in "solutions"
    text, message = told(error_of(None, "3 submissions have no result"), graded=True)
    assert (text.count("Traceback"), "3 submissions" in text, message.key) == (1, True, "cli.grader_fault")
