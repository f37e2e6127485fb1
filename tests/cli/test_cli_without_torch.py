"""Where torch is not installed the numpy half works, and the torch half says in one line what to install."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from grader.course import installed_course

COURSE = installed_course()
ASK = "from grader.installing import install_command; print(install_command('torch'))"


@pytest.fixture(scope="module")
def without_torch(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of an interpreter that finds everything installed here but torch; start it with -S."""
    folder = tmp_path_factory.mktemp("packages")
    for installed in Path(np.__file__).parents[1].iterdir():
        if not installed.name.startswith("torch"):
            (folder / installed.name).symlink_to(installed)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST"))}
    return {**kept, "PYTHONPATH": f"{Path(__file__).parents[2]}{os.pathsep}{folder}", "COLUMNS": "200", "LC_ALL": "C"}


def _grade(environment: dict[str, str], folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-S", "-m", "grader.cli", *arguments, "--no-report"]
    return subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture
def install(without_torch: dict[str, str], tmp_path: Path) -> str:
    """The command that installs torch, for somebody who stands in the temporary folder."""
    command = [sys.executable, "-S", "-c", ASK]
    run = subprocess.run(command, env=without_torch, cwd=tmp_path, capture_output=True, text=True, check=True)
    return run.stdout.strip()


@pytest.mark.parametrize(("language", "said"), [("en", "torch is not installed"), ("zh", "没有安装 torch")])
def test_one_torch_exercise_says_what_to_install(
    without_torch: dict[str, str], install: str, tmp_path: Path, language: str, said: str
) -> None:
    """One line with the command, no traceback, and the exit code of a usage error."""
    run = _grade(without_torch, tmp_path, str(COURSE / "exercises" / "10_batch_first"), "--lang", language)
    assert (run.returncode, run.stdout) == (2, "")
    assert said in run.stderr
    assert install in run.stderr
    assert len(run.stderr.splitlines()) == 1


def test_the_other_exercises_are_graded(without_torch: dict[str, str], install: str, tmp_path: Path) -> None:
    """Of several exercises those with numpy are graded, and one line names those that are not."""
    work = tmp_path / "exercises"
    for name, module in (("04_concat", "concat.py"), ("08_batched_heads", ""), ("10_batch_first", "")):
        source = COURSE / ("solutions" if module else "exercises") / name
        (work / name).mkdir(parents=True)
        for file in [source / module] if module else source.glob("*.py"):
            (work / name / file.name).write_bytes(file.read_bytes())
    run = _grade(without_torch, tmp_path, *map(str, sorted(work.iterdir())), "--lang", "en")
    assert run.returncode == 2
    (line,) = run.stderr.splitlines()
    assert "08_batched_heads, 10_batch_first" in line
    assert install in line
    assert "04_concat" in run.stdout
    assert "Traceback" not in run.stdout + run.stderr
