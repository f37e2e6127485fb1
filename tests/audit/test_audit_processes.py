"""An audit over several processes says what one says, in the same order, and loses nothing."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path

import pytest
from tiny_course import NAME, Tiny

from grader.audit.process import Asked
from grader.audit.processes import Processes
from grader.audit.proof import ExerciseAudit, Proof
from grader.audit.skeleton import MARK, cards, skeleton
from grader.cli.main import run
from grader.errors import GraderError

SECONDS = re.compile(r"  \d+\.\d s$", re.MULTILINE)
SECOND = "18_range"


@pytest.fixture
def two(tiny: Tiny) -> Path:
    """A course of two exercises; the second has a stray file."""
    for path, text in skeleton(SECOND).items():
        (tiny.root / path).parent.mkdir(parents=True, exist_ok=True)
        (tiny.root / path).write_text(MARK.sub("", text), encoding="utf-8")
    with (tiny.root / "exercises/mistakes.toml").open("a", encoding="utf-8") as catalogue:
        catalogue.write(MARK.sub("", cards(SECOND)))
    tiny.write(f"solutions/{SECOND}/notes.txt", "by the way")
    return tiny.root


def audited(processes: Processes, course: Path) -> list[ExerciseAudit]:
    """Audit the tiny exercise of a course."""
    asked = Asked(course, NAME, full=False, every=False)
    return list(processes.audit([asked], lambda _name: None, lambda _proof: None))


@pytest.mark.slow
def test_processes_say_what_one_says(two: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With --jobs 2 the table, its order and the exit code are those of --jobs 1."""
    told = {}
    for jobs in ("1", "2"):
        code = run(["audit", "--lang", "en", "--jobs", jobs, "--course", str(two)])
        told[jobs] = code, SECONDS.sub("", capsys.readouterr().out)
    assert told["1"] == told["2"]
    assert told["1"][0] == 1
    assert f"{SECOND}/notes.txt: does not belong here." in told["1"][1]


def test_a_lost_process_is_a_fault_of_ours(tiny: Tiny) -> None:
    """A process that ends without a word ends the audit, and says which exercise it had."""
    with Processes(1) as processes:
        (process,) = processes._processes
        os.kill(process.process.pid, signal.SIGKILL)
        with pytest.raises(GraderError, match="17_centre: the process of its audit was lost"):
            audited(processes, tiny.root)


def test_a_fault_in_a_process_comes_out(tiny: Tiny) -> None:
    """What is raised in a process and is no finding comes out with its traceback, and the processes end."""
    with Processes(1) as processes, pytest.raises(GraderError, match=r"17_centre: .*fault:\n(.*\n)+.*nowhere"):
        audited(processes, tiny.root / "nowhere")
    assert processes._processes == []


@pytest.mark.parametrize("jobs", ["0", "-1", "many"])
def test_a_senseless_number_of_jobs_is_refused(jobs: str, tiny: Tiny) -> None:
    """--jobs takes whole numbers from 1 on; anything else ends with exit code 2."""
    assert run(["audit", "--jobs", jobs, "--course", str(tiny.root)]) == 2


def test_an_interrupted_audit_leaves_no_process(tiny: Tiny) -> None:
    """Whatever ends the audit, Ctrl-C too, ends its processes at once."""
    started = []

    def interrupt(_proof: Proof) -> None:
        raise KeyboardInterrupt

    def audit() -> None:
        with Processes(2) as processes:
            started.extend(each.process for each in processes._processes)
            asked = Asked(tiny.root, NAME, full=False, every=False)
            list(processes.audit([asked], lambda _name: None, interrupt))

    with pytest.raises(KeyboardInterrupt):
        audit()
    ended = [process.returncode for process in started]
    assert ended[0] == -signal.SIGKILL  # it was at work
    assert ended[1] in (0, -signal.SIGKILL)  # it was waiting, and may have seen before that nobody asks any more
