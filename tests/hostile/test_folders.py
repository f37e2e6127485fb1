"""A right or wrong file in a folder full of traps: what lies beside it neither runs nor decides."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from ground import Ground
from trial import RIGHT, Trial

import grader
from grader.course import read_submission

pytestmark = pytest.mark.hostile

WRONG = b"def concat_heads(heads):\n    return heads\n"

# Modules that the grader, its worker or pytest import by these names, and files that configure them.
MODULES = [
    "numpy",
    "conftest",
    "sitecustomize",
    "usercustomize",
    "random",
    "typing",
    "struct",
    "ast",
    "nt",
    "os",
    "traceback",
    "linecache",
    "warnings",
    "pytest",
    "click",
    "rich",
    "jinja2",
    "concat",
    "submission",
    "planted_plugin",
    "test_concat_hidden",
    "test_concat",
]
SETTINGS = {
    "pytest.ini": "[pytest]\naddopts = -p planted_plugin\npython_files = *.py\n",
    "tox.ini": "[pytest]\naddopts = -p planted_plugin\n",
    "setup.cfg": "[tool:pytest]\naddopts = -p planted_plugin\n",
    "pyproject.toml": '[tool.pytest.ini_options]\naddopts = "-p planted_plugin"\npythonpath = ["."]\n',
    ".env": "PYTHONSTARTUP=planted_plugin.py\n",
}
GRADER = ("__init__", "cli/__init__", "cli/__main__", "cli/main", "sandbox/__init__", "sandbox/zygote", "checks")
GENEROUS_SUITE = """
import pytest


@pytest.mark.points(1)
def test_anything(submission):
    assert True
"""
GENEROUS_EXERCISE = """
title = { en = "Anything goes", zh = "怎样都行" }
module = "concat"
defines = []
packages = ["numpy", "click", "pytest"]
source = { en = "none", zh = "无" }

[check.test_anything]
en = "Anything is right."
zh = "怎样都对。"
"""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A student's repository that brings its own grader, solutions, suites and settings; each says when it is run."""
    exercise, solution = tmp_path / "exercises" / "04_concat", tmp_path / "solutions" / "04_concat"
    for folder in (exercise, solution, tmp_path / "grader" / "cli", tmp_path / "grader" / "sandbox"):
        folder.mkdir(parents=True)
    for folder in (tmp_path, exercise, solution):
        for name in MODULES:
            _plant(folder / f"{name}.py", tmp_path)
        for name, text in SETTINGS.items():
            (folder / name).write_text(text, encoding="utf-8")
    for name in GRADER:
        _plant(tmp_path / "grader" / f"{name}.py", tmp_path)
    _plant(solution / "mistakes.py", tmp_path)
    (exercise / "exercise.toml").write_text(GENEROUS_EXERCISE, encoding="utf-8")
    (exercise.parent / "mistakes.toml").write_text("", encoding="utf-8")
    with (solution / "test_concat_hidden.py").open("a", encoding="utf-8") as file:
        file.write(GENEROUS_SUITE)
    return tmp_path


def _plant(path: Path, root: Path) -> None:
    path.write_text(f"open({str(root / 'ran')!r}, 'a').write({str(path)!r} + '\\n')\n", encoding="utf-8")


def _ran(repository: Path) -> list[str]:
    marker = repository / "ran"
    return sorted(set(marker.read_text(encoding="utf-8").splitlines())) if marker.exists() else []


def _grade(repository: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command, as it is started by its script: the folder it is started in is not on the import path."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST"))}
    environment["PYTHONPATH"] = str(Path(grader.__file__).parents[1])
    command = [sys.executable, "-P", "-m", "grader.cli", *arguments, "--no-report", "--lang", "en"]
    return subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=60,
        text=True,
    )


def test_a_planted_file_would_have_run(repository: Path) -> None:
    """The traps work: a plain Python started in the folder runs them."""
    subprocess.run([sys.executable, "-c", "import numpy"], cwd=repository, check=True, timeout=60)
    assert str(repository / "numpy.py") in _ran(repository)


@pytest.mark.parametrize("place", ["", "exercises", "exercises/04_concat"])
def test_a_right_file_among_traps_passes(repository: Path, place: str) -> None:
    """A right file gets all points wherever in the repository the command is started, and no planted file runs."""
    (repository / "exercises" / "04_concat" / "concat.py").write_bytes(RIGHT)
    argument = os.path.relpath(repository / "exercises" / "04_concat", repository / place)
    run = _grade(repository, repository / place, argument)
    assert (run.returncode, _ran(repository)) == (0, []), run.stdout + run.stderr


def test_a_wrong_file_is_not_saved_by_its_repository(repository: Path) -> None:
    """A wrong file is wrong, though the suite, the solution and the exercise that came with it call it right."""
    (repository / "exercises" / "04_concat" / "concat.py").write_bytes(WRONG)
    run = _grade(repository, repository, "exercises/04_concat")
    assert (run.returncode, _ran(repository)) == (1, []), run.stdout + run.stderr
    assert "Anything" not in run.stdout


def test_a_bare_command_in_the_folder_meets_no_trap(repository: Path) -> None:
    """`grade` without a path, inside the folder, takes nothing from there but the student's file."""
    folder = repository / "exercises" / "04_concat"
    (folder / "concat.py").write_bytes(RIGHT)
    run = _grade(repository, folder)
    assert (run.returncode, _ran(repository)) == (0, []), run.stdout + run.stderr


def test_files_beside_a_submission_are_not_read(repository: Path, ground: Ground, trial: Trial) -> None:
    """A batch takes one file from each folder: what lies beside it does not run, and cannot be imported."""
    folder = repository / "exercises" / "04_concat"
    beside = folder / "planted_sibling.py"
    shutil.copy(folder / "numpy.py", beside)
    honest, curious = folder / "concat.py", folder / "curious.py"
    honest.write_bytes(RIGHT)
    curious.write_bytes(b"import planted_sibling\n" + RIGHT)
    submissions = [read_submission(path, ground.exercise, path.stem) for path in (honest, curious)]
    verdicts = [str(report.verdict) for report in trial.grade(submissions)]
    assert (verdicts, _ran(repository)) == (["accepted", "invalid"], [])
