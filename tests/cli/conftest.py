"""A small course of two exercises in a folder of its own, and the command as a real process."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from seat import Seat, Sit
from small_course import ROOT, Grade, write_course


@pytest.fixture(scope="session")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course with 01_double and 02_negate, three points each."""
    root = tmp_path_factory.mktemp("course")
    write_course(root)
    return root


@pytest.fixture
def home(course: Path, tmp_path: Path) -> Path:
    """A student's own copy of the exercises, starters untouched."""
    shutil.copytree(course / "exercises", tmp_path / "exercises")
    return tmp_path


@pytest.fixture(scope="session")
def environment() -> dict[str, str]:
    """The environment of the command: nothing of the language of whoever runs the tests."""
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "TMPDIR")}
    return {**kept, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", "LC_ALL": "C.UTF-8", "COLUMNS": "100"}


@pytest.fixture
def grade(course: Path, environment: dict[str, str]) -> Callable[..., Grade]:
    """Runs the command in a folder, on the small course or another, with variables of the environment by name."""

    def run(*arguments: str | Path, cwd: Path, on: Path | None = course, **variables: str) -> Grade:
        options = [] if on is None or "--course" in arguments else ["--course", str(on)]
        done = subprocess.run(
            [sys.executable, "-m", "grader.cli", *map(str, arguments), *options],
            cwd=cwd,
            env={**environment, **variables},
            capture_output=True,
            timeout=60,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        return Grade(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


@pytest.fixture
def sit(course: Path, home: Path, environment: dict[str, str]) -> Iterator[Sit]:
    """Starts `grade watch` in the student's copy; the first verdict is there when it returns."""
    seats = []

    def start(
        *arguments: str,
        columns: int = 80,
        rows: int = 24,
        ready: str = "still raises",
        cwd: Path = home,
        on: Path = course,
        **variables: str,
    ) -> Seat:
        seat = Seat([*arguments, "--course", str(on)], cwd, {**environment, **variables}, columns=columns, rows=rows)
        seats.append(seat)
        seat.until(ready)
        return seat

    yield start
    for seat in seats:
        seat.__exit__()
