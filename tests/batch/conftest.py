"""The course, and the command as a real process."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from made_class import EXERCISE, ROOT, Ran

from grader.course import Course, load_course


@pytest.fixture(scope="session")
def course() -> Course:
    """The course of this checkout."""
    return load_course(ROOT)


@pytest.fixture
def own_course(tmp_path: Path) -> Path:
    """A course of 04_concat alone, whose suite may be changed."""
    root = tmp_path / "course"
    for part in ("exercises", "solutions"):
        shutil.copytree(ROOT / part / EXERCISE, root / part / EXERCISE, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "exercises" / "mistakes.toml", root / "exercises" / "mistakes.toml")
    return root


@pytest.fixture(scope="session")
def environment() -> dict[str, str]:
    """The environment of the command: nothing of the language of whoever runs the tests."""
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "TMPDIR")}
    return {**kept, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", "LC_ALL": "C.UTF-8", "COLUMNS": "100"}


@pytest.fixture
def batch(environment: dict[str, str], tmp_path: Path) -> Callable[..., Ran]:
    """Runs `grade batch` with its results in the folder `out` of the test."""

    def run(*arguments: str | Path, out: str = "out", exercise: bool = True, **variables: str) -> Ran:
        asked = ["--exercise", EXERCISE] if exercise else []
        command = [sys.executable, "-m", "grader.cli", "batch", *map(str, arguments), "--out", out, *asked]
        done = subprocess.run(
            command,
            cwd=tmp_path,
            env={**environment, **variables},
            capture_output=True,
            timeout=300,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        return Ran(done.returncode, done.stdout.decode(), done.stderr.decode(), tmp_path / out)

    return run
