"""Times `grade batch` on 04_concat against one pytest process for each submission, and against the floor.

    python benchmarks/throughput.py [SUBMISSIONS]

All three work on the same made class, half of it wrong, every file with other bytes, over all cores, in one run:

    batch    the command as an instructor types it: sandbox, diagnosis, gradebook, a page for each student
    grading  the same less its start: submissions per second from the first result to the last
    pytest   a plain pytest process for each submission, one per core at a time: no sandbox, no diagnosis
    floor    the sandbox alone: fork, lock down, load, make the same calls, one process per core; no pytest

The calls of the floor are those that the grading makes, the diagnosis's of the wrong ones included: they are recorded
while one right and one wrong submission are graded, and then made for each submission of the class. Nobody looks at the
answers. A second floor makes only the calls that the hidden suite makes.

Then how long a batch of a torch exercise takes to its first result, in imports of torch.

Only the ratios mean anything.
"""

import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Literal

ROOT = Path(__file__).parents[1]
EXERCISE = "04_concat"
CASES = 17  # of the hidden suite, and so of the plain one
TORCH_EXERCISE, TORCH_FILE = "09_scaled_dot_product", "scaled_dot_product.py"
PYTEST_TARGET, FLOOR_TARGET, START_TARGET = 20, 0.75, 1.4
MANY = 100  # submissions for each core from which on a batch takes a sandbox for many
AT_MOST_PYTEST = 40  # processes of plain pytest: enough for a rate

RIGHT = "import numpy as np\n\n\ndef concat_heads(heads):\n    return np.concatenate(list(heads), axis=-1)\n"
WRONG = "import numpy as np\n\n\ndef concat_heads(heads):\n    return heads.reshape(heads.shape[1], -1)\n"
PLAIN = f'''"""Cases of a plain pytest suite."""

import numpy as np
import pytest
import reference
import concat


@pytest.mark.parametrize("case", range({CASES}))
def test_the_same_as_the_reference(case):
    """The submission returns what the reference returns."""
    heads = np.random.default_rng(case).standard_normal((3, 5 + case, 6))
    assert np.allclose(concat.concat_heads(heads), reference.concat_heads(heads))
'''
FLOOR = """
import contextlib, hashlib, sys
from pathlib import Path
from grader.course import load_course, load_exercise
from grader.errors import SubmissionError
from grader.judge.grading import grade_one
from grader.model import Submission
from grader.sandbox.client import RemoteSubject, Sandbox

root, name, calls, many, right, wrong, *paths = sys.argv[1:]
course = load_course(Path(root))
exercise = load_exercise(course, name)
asked = RemoteSubject.ask


def recorded(source):
    found = []

    def ask(self, *request, **fields):
        found.append((request, fields))
        return asked(self, *request, **fields)

    RemoteSubject.ask = ask
    sha256 = hashlib.sha256(source).hexdigest()
    grade_one(course, exercise, Submission("floor", name, "concat.py", source, sha256), sandbox=sandbox)
    RemoteSubject.ask = asked
    return found


with Sandbox(exercise.packages, many=many == "many") as sandbox:
    made = {source: recorded(source.encode()) for source in (right, wrong)}
    if calls == "suite":
        made[wrong] = made[right]  # nothing is diagnosed where all is right
    print(len(made[right]), len(made[wrong]), flush=True)
    sys.stdin.readline()
    for path in paths:
        source = Path(path).read_bytes()
        subject = sandbox.open(source, "concat.py", exercise.limits)
        subject.load()
        for request, fields in made[right if source.startswith(right.encode()) else wrong]:
            with contextlib.suppress(SubmissionError):
                subject.ask(*request, **fields)
            subject.begin_check()
        subject.close()
"""


def environment() -> dict[str, str]:
    """Neither side is kept from its compiled modules, or slowed by plugins that happen to be installed."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST"))}
    one = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    return {**kept, **one, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}


def write_class(folder: Path, count: int) -> list[Path]:
    """A class, every other submission wrong."""
    paths = []
    for i in range(count):
        path = folder / "class" / f"s{i:04}" / "concat.py"
        path.parent.mkdir(parents=True)
        path.write_text(f"{WRONG if i % 2 else RIGHT}# {i}\n")
        paths.append(path)
    return paths


def batch_rates(folder: Path, count: int) -> tuple[float, float]:
    """Submissions per second of the whole command, and from its first result to its last."""
    command = [sys.executable, "-m", "grader.cli", "batch", "class", "--exercise", EXERCISE, "--out", "out"]
    start = time.perf_counter()
    stamps: dict[int, float] = {}
    with subprocess.Popen(command, cwd=folder, env=environment(), stdout=subprocess.DEVNULL) as running:
        while running.poll() is None:
            stamps.setdefault(graded(folder / "out" / "gradebook.db"), time.perf_counter())
            time.sleep(0.02)
    if running.returncode != 0:
        sys.exit(f"{command} ended with {running.returncode}")
    first, last = min(done for done in stamps if done), max(stamps)
    return count / (time.perf_counter() - start), (last - first) / (stamps[last] - stamps[first])


def graded(database: Path) -> int:
    """How many results there are by now."""
    try:
        with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
            return int(connection.execute("SELECT count(*) FROM results").fetchone()[0])
    except sqlite3.OperationalError:  # not made yet
        return 0


def pytest_rate(folder: Path, paths: list[Path], cores: int) -> float:
    """Submissions per second with a plain pytest process for each."""
    (folder / "plain").mkdir()
    (folder / "plain" / "reference.py").write_text((ROOT / "solutions" / EXERCISE / "concat.py").read_text())
    (folder / "plain" / "test_plain.py").write_text(PLAIN)

    def one(path: Path) -> None:
        variables = {**environment(), "PYTHONPATH": f"{path.parent}{os.pathsep}{folder / 'plain'}"}
        command = [sys.executable, "-m", "pytest", "-q", "test_plain.py", "-p", "no:cacheprovider"]
        done = subprocess.run(command, cwd=folder / "plain", env=variables, capture_output=True, check=False)
        if done.returncode not in (0, 1):
            sys.exit(done.stdout.decode() + done.stderr.decode())

    one(paths[0])  # compiled modules
    start = time.perf_counter()
    with ThreadPoolExecutor(cores) as pool:
        list(pool.map(one, paths))
    return len(paths) / (time.perf_counter() - start)


def floor_rate(paths: list[Path], cores: int, calls: Literal["all", "suite"]) -> float:
    """Submissions per second of the sandbox alone, its start not counted."""
    # what each process gets is half of it wrong, too: the class alternates
    shares = [[path for i, path in enumerate(paths) if i // 2 % cores == core] for core in range(cores)]
    many = "many" if len(paths) >= MANY * cores else "few"
    command = [sys.executable, "-c", FLOOR, str(ROOT), EXERCISE, calls, many, RIGHT, WRONG]
    running = [
        subprocess.Popen(
            [*command, *map(str, share)],
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for share in shares
    ]
    for process in running:
        process.stdout.readline()
    start = time.perf_counter()
    for process in running:
        process.stdin.write("\n")
        process.stdin.close()
    for process in running:
        process.wait()
        process.stdout.close()
    return len(paths) / (time.perf_counter() - start)


def torch_start(folder: Path) -> float:
    """Time to the first result of a torch batch, in imports of torch before and after it."""
    for i in range(4):
        path = folder / "torch" / f"s{i}" / TORCH_FILE
        path.parent.mkdir(parents=True)
        path.write_text((ROOT / "solutions" / TORCH_EXERCISE / TORCH_FILE).read_text() + f"# {i}\n")

    def import_torch() -> float:
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", "import torch"], env=environment(), check=True)
        return time.perf_counter() - start

    import_torch()  # compiled modules, and the files in memory
    before = import_torch()
    command = [sys.executable, "-m", "grader.cli", "batch", "torch", "--exercise", TORCH_EXERCISE, "--out", "out_torch"]
    start = time.perf_counter()
    with subprocess.Popen(command, cwd=folder, env=environment(), stdout=subprocess.DEVNULL) as running:
        while not graded(folder / "out_torch" / "gradebook.db") and running.poll() is None:
            time.sleep(0.02)
        first = time.perf_counter() - start
    return 2 * first / (before + import_torch())


def main() -> None:
    """Compare all three."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    cores = len(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = write_class(folder, count)
        floor, suite_floor = floor_rate(paths, cores, "all"), floor_rate(paths, cores, "suite")
        whole, grading = batch_rates(folder, count)
        plain = pytest_rate(folder, paths[:AT_MOST_PYTEST], cores)
        # before and after: whatever else the machine does hits both
        floor, suite_floor = (
            (before + floor_rate(paths, cores, calls)) / 2 for before, calls in ((floor, "all"), (suite_floor, "suite"))
        )
        start = torch_start(folder)
    print(f"{count} submissions, {cores} cores; a second: batch {whole:.1f} (grading {grading:.1f}),")
    print(f"pytest {plain:.1f}, floor {floor:.1f}, floor of the suite's calls alone {suite_floor:.1f}")
    print(f"batch / pytest {whole / plain:.1f}, grading / pytest {grading / plain:.1f} (target {PYTEST_TARGET})")
    print(f"grading / floor {grading / floor:.2f} (target {FLOOR_TARGET}), of the suite's {grading / suite_floor:.2f}")
    print(f"torch: first result after {start:.1f} imports of torch (target {START_TARGET})")


if __name__ == "__main__":
    main()
