"""Finds what may not travel to students: names of hidden tests, and lines of references."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from grader.course import Course
from grader.errors import ContentError
from grader.model import Exercise

FEWEST = 24  # characters of a line that says something: `with torch.no_grad():` is anybody's


def refuse_what_is_hidden(course: Course, files: Mapping[Path, bytes]) -> None:
    """Let files go only where none of them holds a hidden test's name, a line of a reference, or a whole hidden file.

    Lines that a starter of the course has are not hidden: students were given them on purpose.

    Raises:
        ContentError: the first file that may not travel, and what was found in it.
    """
    names: dict[str, Path] = {}
    lines: dict[str, Path] = {}
    shown: set[str] = set()
    for exercise in course.exercises.values():
        names |= dict.fromkeys(hidden_names(exercise), exercise.suite)
        lines |= dict.fromkeys(reference_lines(exercise), exercise.reference)
        shown |= set(map(bare, exercise.starter.read_text(encoding="utf-8").splitlines()))
    for name, content in files.items():
        text = content.decode("utf-8", "replace")
        for word in re.findall(r"\btest_\w+", text):
            if word in names:
                raise _found(course.root / name, f"the name of a hidden test, {word} of {names[word]}")
        for line in map(bare, text.splitlines()):
            if line in lines and line not in shown:
                raise _found(course.root / name, f"a line of {lines[line]}: {line}")


def hidden_names(exercise: Exercise) -> Iterator[str]:
    """Names of the tests of a hidden suite."""
    for node in ast.walk(ast.parse(exercise.suite.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield node.name


def reference_lines(exercise: Exercise) -> Iterator[str]:
    """Lines of a reference that say something, without comments and docstrings."""
    text = exercise.reference.read_text(encoding="utf-8")
    told: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            told |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    for number, line in enumerate(text.splitlines(), 1):
        if number not in told and len(bare(line)) >= FEWEST:
            yield bare(line)


def bare(line: str) -> str:
    """A line of code as it is compared: without its comment and with single blanks."""
    return " ".join(line.partition("  #")[0].split())


def _found(path: Path, what: str) -> ContentError:
    return ContentError(f"{path}: found {what}. Nothing was written; take it out of what students see.")
