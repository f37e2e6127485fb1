"""What a student gets: starter, task in two languages, sample checks; and nothing else."""

from __future__ import annotations

import ast
import inspect
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grader.course import Course, load_module
from grader.model import Exercise


def run_samples(exercise: Exercise, file: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """The sample checks of an exercise, run by pytest in a folder of their own that holds `file` as the module."""
    shutil.copy(file, folder / exercise.filename)
    shutil.copy(exercise.folder / f"test_{exercise.module}.py", folder)
    command = [sys.executable, "-m", "pytest", "-q", "-c", "/dev/null", "-p", "no:cacheprovider", str(folder)]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, env=environment)


def test_folder_holds_what_a_student_may_see(exercise: Exercise) -> None:
    """An exercise folder must hold the starter, both tasks, the sample checks and exercise.toml."""
    expected = {exercise.filename, f"test_{exercise.module}.py", "README.md", "README.zh.md", "exercise.toml"}
    assert expected <= {path.name for path in exercise.folder.iterdir()}


def test_starter_has_one_todo(exercise: Exercise) -> None:
    """A starter must say at exactly one place where to begin."""
    assert exercise.starter.read_text(encoding="utf-8").count("TODO") == 1


def test_starter_defines_what_is_asked(exercise: Exercise) -> None:
    """Everything that is asked must stand in the starter, documented, and be left to write."""
    tree = ast.parse(exercise.starter.read_bytes())
    found = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    for name in exercise.defines:
        assert ast.get_docstring(found[name])
        assert "raise NotImplementedError" in ast.unparse(found[name])


def test_starter_is_not_written_yet(exercise: Exercise) -> None:
    """Each function of a starter must raise NotImplementedError when it is called."""
    module = load_module(exercise.starter)
    for name in exercise.defines:
        function = getattr(module, name)
        if inspect.isfunction(function):
            with pytest.raises(NotImplementedError):
                function(*(None for _ in inspect.signature(function).parameters))


def test_samples_pass_on_the_reference(exercise: Exercise, tmp_path: Path) -> None:
    """The sample checks must accept the reference, in a folder that holds nothing else."""
    ran = run_samples(exercise, exercise.reference, tmp_path)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_samples_fail_on_the_starter(exercise: Exercise, tmp_path: Path) -> None:
    """Each sample check must fail as long as nothing is written."""
    ran = run_samples(exercise, exercise.starter, tmp_path)
    assert ran.returncode == 1
    assert "passed" not in ran.stdout


def test_samples_have_neither_points_nor_reference(exercise: Exercise) -> None:
    """Sample checks must compare with values that stand in them, and need nothing of the grader."""
    text = (exercise.folder / f"test_{exercise.module}.py").read_text(encoding="utf-8")
    assert "points" not in text
    assert "reference" not in text
    assert "grader" not in text


def test_task_names_every_function_in_both_languages(exercise: Exercise) -> None:
    """Both tasks must name everything that is asked, and the file to write it in."""
    for name in ("README.md", "README.zh.md"):
        text = (exercise.folder / name).read_text(encoding="utf-8")
        for asked in (*exercise.defines, exercise.filename):
            assert f"`{asked}" in text, (name, asked)


def test_exercises_never_name_solutions(course: Course) -> None:
    """No file that a student may see may point at what they may not."""
    for path in (course.root / "exercises").rglob("*"):
        if path.is_file() and path.suffix in (".py", ".md", ".toml"):
            text = path.read_text(encoding="utf-8")
            assert "solutions" not in text, path
            assert "_hidden" not in text, path
