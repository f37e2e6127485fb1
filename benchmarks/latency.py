"""Times `grade exercises/04_concat` with its report against a plain pytest process over as many cases.

    python benchmarks/latency.py [PAIRS]

Both processes are started in turn, so that whatever else the machine does hits both; each pair gives one ratio. The
plain process imports the student's file and the reference and compares them with numpy: no sandbox, no report.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
EXERCISE = "04_concat"
TARGET = 1.5

ANSWERS = {
    "right": "def concat_heads(heads):\n    return np.concatenate(list(heads), axis=-1)\n",
    "wrong": "def concat_heads(heads):\n    return heads.reshape(heads.shape[1], -1)\n",
}
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


def compare(name: str, source: str, folder: Path, pairs: int) -> None:
    """Print the ratio for one answer."""
    answer = folder / "submission.py"
    answer.write_text(f"import numpy as np\n\n\n{source}")
    code = 0 if name == "right" else 1
    report = ["--report", str(folder / "report.html"), "--json", str(folder / "report.json")]
    grade = [sys.executable, "-m", "grader.cli", str(ROOT / "exercises" / EXERCISE), "--file", str(answer)]
    seconds([*grade, *report], folder, code)  # also warms up, as the first plain run below
    cases = sum(check["cases"] for check in json.loads((folder / "report.json").read_text())["checks"])
    (folder / "test_plain.py").write_text(PLAIN.format(cases=cases))
    plain = [sys.executable, "-m", "pytest", "test_plain.py"]
    seconds(plain, folder, code)
    times = []
    for i in range(pairs):
        one, other = (grade + report[:2], plain) if i % 2 else (plain, grade + report[:2])
        first, second = seconds(one, folder, code), seconds(other, folder, code)
        times.append((first, second) if i % 2 else (second, first))
    ratios = sorted(ours / theirs for ours, theirs in times)
    ours_ms, plain_ms = (1000 * statistics.median(column) for column in zip(*times, strict=True))
    print(
        f"{name}: grade {ours_ms:.0f} ms, pytest {plain_ms:.0f} ms over {cases} cases; ratio "
        f"median {statistics.median(ratios):.2f}, min {ratios[0]:.2f}, max {ratios[-1]:.2f} (target {TARGET})"
    )


def main() -> None:
    """Compare for a right and a wrong answer."""
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(ROOT / "solutions" / EXERCISE / "concat.py", folder / "reference.py")
        for answer, source in ANSWERS.items():
            compare(answer, source, folder, pairs)


if __name__ == "__main__":
    main()
