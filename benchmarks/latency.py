"""Times `grade EXERCISE` with its report against the least that another process needs, for a right and a wrong answer.

    python benchmarks/latency.py [PAIRS [EXERCISE]]

    04_concat        against a plain pytest process over as many cases; target: 1.5 times that
    10_batch_first   against `python -c "import torch"`; target: 1.35 times that, and 0.6 s

Then the same answers under `grade watch`: from saving the file to the verdict on the terminal, beside the floor, a fork
of a warm zygote that loads the file and answers the same requests. Targets: 150 ms, and 400 ms with torch.

Both processes are started in turn, so that whatever else the machine does hits both; each pair gives one ratio. The
plain pytest process imports the student's file and the reference and compares them with numpy: no sandbox, no report.
"""

import contextlib
import json
import os
import pty
import shutil
import statistics
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from grader.course import load_course, load_exercise  # noqa: E402 - from this checkout
from grader.errors import SubmissionError  # noqa: E402
from grader.judge.grading import grade_one  # noqa: E402
from grader.model import Exercise, Limits, Submission  # noqa: E402
from grader.sandbox.client import RemoteSubject, Sandbox  # noqa: E402

PLAIN = '''"""{cases} cases of a plain pytest suite."""

import numpy as np
import pytest
import reference
import submission


@pytest.mark.parametrize("case", range({cases}))
def test_the_same_as_the_reference(case):
    """The submission returns what the reference returns."""
    heads = np.random.default_rng(case).standard_normal((3, 5 + case, 6))
    got = submission.concat_heads(heads)
    want = reference.concat_heads(heads)
    assert got.shape == want.shape
    assert np.allclose(got, want, rtol=1e-9, atol=1e-9)
'''
MAKE = "    return nn.MultiheadAttention(embed_dim, num_heads{batch_first})\n"
ATTEND = """import torch
from torch import nn


def make_attention(embed_dim, num_heads):
{make}

def attend(mha, x):
    if not mha.batch_first:
        x = x.transpose(0, 1)
    out = mha(x, x, x)[0]
    return out if mha.batch_first else out.transpose(0, 1)
"""


@dataclass(frozen=True)
class Bench:
    """One exercise and what it is compared with.

    Attributes:
        answers: "right" and "wrong" -> source of a submission.
        other: makes the command of the other process, from a folder that holds submission.py and the number of cases.
        allowance_s: seconds that `grade` may take on top of `target` times the other process.
        fails: whether the other process fails where the answer is wrong.
        watch_ms: from saving to the verdict, under `grade watch`, at most.
        verdicts: what the terminal then says, for each answer.
    """

    exercise: str
    answers: dict[str, str]
    other_name: str
    other: Callable[[Path, int], list[str]]
    target: float
    watch_ms: float
    verdicts: dict[str, str]
    allowance_s: float = 0.0
    fails: bool = False


def plain_pytest(folder: Path, cases: int) -> list[str]:
    """A suite of the same size in one process, with everything trusted."""
    shutil.copy(ROOT / "solutions" / "04_concat" / "concat.py", folder / "reference.py")
    (folder / "test_plain.py").write_text(PLAIN.format(cases=cases))
    return [sys.executable, "-m", "pytest", "test_plain.py"]


def import_torch(_folder: Path, _cases: int) -> list[str]:
    """What every process that uses torch has to do."""
    return [sys.executable, "-c", "import torch"]


CONCAT = "import numpy as np\n\n\ndef concat_heads(heads):\n    return "
BENCHES = (
    Bench(
        exercise="04_concat",
        answers={
            "right": f"{CONCAT}np.concatenate(list(heads), axis=-1)\n",
            "wrong": f"{CONCAT}heads.reshape(heads.shape[1], -1)\n",
        },
        other_name="pytest",
        other=plain_pytest,
        target=1.5,
        watch_ms=150,
        verdicts={"right": "All checks pass", "wrong": "Some checks pass"},
        fails=True,
    ),
    Bench(
        exercise="10_batch_first",
        answers={
            "right": ATTEND.format(make=MAKE.format(batch_first=", batch_first=True")),
            "wrong": ATTEND.format(make=MAKE.format(batch_first="")),
        },
        other_name="import torch",
        other=import_torch,
        target=1.35,
        watch_ms=400,
        verdicts={"right": "All checks pass", "wrong": "Some checks pass"},
        allowance_s=0.6,
    ),
)


def seconds(command: list[str], folder: Path, code: int) -> float:
    """Wall time of one process that must end with `code`."""
    # no variable may keep either side from its compiled modules, and plugins that happen to be installed would slow the
    # plain process down and flatter us
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST"))}
    environment |= {"PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    start = time.perf_counter()
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
    taken = time.perf_counter() - start
    if done.returncode != code:
        sys.exit(
            f"{command} ended with {done.returncode}, expected {code}:\n{done.stdout.decode()}{done.stderr.decode()}"
        )
    return taken


def compare(bench: Bench, name: str, folder: Path, pairs: int) -> None:
    """Print the ratio for one answer."""
    answer = folder / "submission.py"
    answer.write_text(bench.answers[name])
    code = 0 if name == "right" else 1
    report = ["--report", str(folder / "report.html"), "--json", str(folder / "report.json")]
    grade = [sys.executable, "-m", "grader.cli", str(ROOT / "exercises" / bench.exercise), "--file", str(answer)]
    seconds([*grade, *report], folder, code)  # also warms up, as the first run of the other process below
    cases = sum(check["cases"] for check in json.loads((folder / "report.json").read_text())["checks"])
    other, other_code = bench.other(folder, cases), code if bench.fails else 0
    seconds(other, folder, other_code)
    times = []
    for i in range(pairs):
        first, second = ((grade + report[:2], code), (other, other_code))[:: 1 if i % 2 else -1]
        taken = seconds(first[0], folder, first[1]), seconds(second[0], folder, second[1])
        times.append(taken[:: 1 if i % 2 else -1])
    ratios = sorted((ours - bench.allowance_s) / theirs for ours, theirs in times)
    ours_ms, other_ms = (1000 * statistics.median(column) for column in zip(*times, strict=True))
    less = f" less {bench.allowance_s:g} s" if bench.allowance_s else ""
    print(
        f"{bench.exercise}, {name}: grade {ours_ms:.0f} ms over {cases} cases, {bench.other_name} {other_ms:.0f} ms; "
        f"ratio{less} median {statistics.median(ratios):.2f}, min {ratios[0]:.2f}, max {ratios[-1]:.2f} "
        f"(target {bench.target})"
    )


# --- grade watch -------------------------------------------------------------------------------------------------


class Watched:
    """`grade watch` on a copy of one exercise, in a terminal of its own; use as a context manager."""

    def __init__(self, exercise: str, home: Path) -> None:
        folder = home / "exercises" / exercise
        shutil.copytree(ROOT / "exercises" / exercise, folder)
        self._answer = next(path for path in folder.glob("*.py") if not path.name.startswith("test_"))
        command = [sys.executable, "-m", "grader.cli", "watch", str(folder), "--lang", "en"]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm"}
        self._terminal, theirs = pty.openpty()
        termios.tcsetwinsize(theirs, (40, 100))
        self._process = subprocess.Popen(command, env=environment, stdin=theirs, stdout=theirs, stderr=theirs)
        os.close(theirs)

    def __enter__(self) -> Self:
        self._wait_for("not written yet")
        return self

    def __exit__(self, *_exception: object) -> None:
        os.write(self._terminal, b"q")
        self._process.wait()
        os.close(self._terminal)

    def milliseconds(self, source: str, verdict: str) -> float:
        """From saving this answer to the end of the frame that shows the verdict."""
        partial = self._answer.with_suffix(".new")
        partial.write_text(source)
        start = time.perf_counter()
        partial.replace(self._answer)
        self._wait_for(verdict)
        return 1000 * (time.perf_counter() - start)

    def _wait_for(self, text: str) -> None:
        shown = ""
        while text not in shown or not shown.endswith("\x1b[?2026l"):  # the end of a frame
            shown += os.read(self._terminal, 65536).decode("utf-8", "replace")


def requests_of(exercise: Exercise, source: str) -> list[tuple[tuple[Any, ...], dict[str, Any]]]:
    """Everything that is asked of a submission while it is graded and diagnosed."""
    asked = []

    class Recording(Sandbox):
        def open(self, source: bytes, filename: str, limits: Limits) -> RemoteSubject:
            subject = super().open(source, filename, limits)
            ask = subject.ask

            def recorded(*args: Any, **fields: Any) -> Any:
                asked.append((args, fields))
                return ask(*args, **fields)

            subject.ask = recorded  # type: ignore[method-assign]
            return subject

    submission = Submission("floor", exercise.name, exercise.filename, source.encode(), "0" * 64)
    with Recording(exercise.packages) as sandbox:
        grade_one(load_course(ROOT), exercise, submission, sandbox=sandbox, seed=0)
    return asked


def floor_ms(sandbox: Sandbox, exercise: Exercise, source: str, asked: list[Any]) -> float:
    """A fork of the warm zygote that loads the file and answers the same requests: no suite, no screen."""
    start = time.perf_counter()
    subject = sandbox.open(source.encode(), exercise.filename, exercise.limits)
    subject.load()
    for args, fields in asked:
        subject.begin_check()
        with contextlib.suppress(SubmissionError):
            subject.ask(*args, **fields)
    subject.close()
    return 1000 * (time.perf_counter() - start)


def watch(bench: Bench, home: Path, pairs: int) -> None:
    """Print how long each answer takes under `grade watch`, and the floor."""
    exercise = load_exercise(load_course(ROOT), bench.exercise)
    asked = {name: requests_of(exercise, source) for name, source in bench.answers.items()}
    times: dict[str, list[float]] = {name: [] for name in bench.answers}
    floors: dict[str, list[float]] = {name: [] for name in bench.answers}
    with Watched(bench.exercise, home) as watched, Sandbox(exercise.packages) as sandbox:
        for i in range(pairs + 1):
            for name, source in bench.answers.items():
                taken = watched.milliseconds(f"{source}# {i}\n", bench.verdicts[name])
                if i:  # the first one of each answer warms up
                    times[name].append(taken)
                    floors[name].append(floor_ms(sandbox, exercise, source, asked[name]))
    for name in bench.answers:
        print(
            f"{bench.exercise}, {name}: watch, save to verdict median {statistics.median(times[name]):.0f} ms, "
            f"min {min(times[name]):.0f}, max {max(times[name]):.0f} (target {bench.watch_ms:g}); "
            f"floor, fork and the same calls, {statistics.median(floors[name]):.0f} ms"
        )


def main() -> None:
    """Compare for a right and a wrong answer of each exercise."""
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    benches = [bench for bench in BENCHES if bench.exercise in (*sys.argv[2:], bench.exercise)[:1]]
    for bench in benches:
        with tempfile.TemporaryDirectory() as name:
            for answer in bench.answers:
                compare(bench, answer, Path(name), pairs)
        with tempfile.TemporaryDirectory() as name:
            watch(bench, Path(name), pairs)


if __name__ == "__main__":
    main()
