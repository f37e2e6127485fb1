"""Finds what may not travel to students: names of hidden tests, lines of the solutions, starters that were written in.

It guards against slips of an author. Whoever rewrites a hidden answer in other words gets past it.
"""

from __future__ import annotations

import ast
import html
import io
import re
import tokenize
from collections.abc import Iterator, Mapping
from pathlib import Path

from grader.course import Course
from grader.errors import ContentError
from grader.model import Exercise

FEWEST = 21  # characters of a line that says something: `with torch.no_grad():` is anybody's
LETTERS = 12  # of them; a line of numbers, such as the example of a readme, may stand in a hidden check as well
_ANYBODYS = re.compile(r"import.*|from[\w.]+import.*|@.*|def\w+\(.*:|class\w+.*:|.*[(\[{]")  # it opens something


def refuse_what_is_hidden(course: Course, files: Mapping[Path, bytes]) -> None:
    """Let files go only where none of them holds a hidden test's name, or a line of a solution.

    Lines that a starter of the course has are not hidden, students were given them on purpose, unless they stand in a
    function that students are to write.

    Raises:
        ContentError: the first file that may not travel, and what was found in it.
    """
    names: dict[str, Path] = {}
    lines: dict[str, list[Path]] = {}
    shown: set[str] = set()
    texts = {course.root / name: _text(course.root / name, content) for name, content in files.items()}
    for exercise in course.exercises.values():
        names |= dict.fromkeys(hidden_names(exercise), exercise.suite)
        for path in hidden_files(exercise):
            for line in telling_lines(path):
                lines.setdefault(line, []).append(path)
        shown |= set(shown_lines(exercise))
        if exercise.starter in texts:
            _require_unwritten(exercise)
    given = "\n".join(shown)
    hidden = {line: origins for line, origins in lines.items() if line not in given}
    for path, text in texts.items():
        for word in re.findall(r"\btest_\w+", text):
            if word in names:
                raise _found(path, f"the name of a hidden test, {word} of {names[word]}")
        squeezed = bare(html.unescape(text))
        for line, origins in hidden.items():
            if line in squeezed:
                origin = next((one for one in origins if path.parent.name in one.parts), origins[0])
                raise _found(path, f"a line of {origin}, here without its blanks: {line}")


# --- what is hidden ----------------------------------------------------------------------------------------------


def hidden_files(exercise: Exercise) -> list[Path]:
    """The code of a solution: reference, suite, accepted answers, mistake models, oracle."""
    return sorted(exercise.solution.rglob("*.py"))


def hidden_names(exercise: Exercise) -> Iterator[str]:
    """Names of the tests of a hidden suite."""
    for node in ast.walk(_tree(exercise.suite)):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield node.name


def telling_lines(path: Path) -> Iterator[str]:
    """Lines of a Python file that say something, bare: without blanks, comments, docstrings and what is anybody's."""
    told: set[int] = set()
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            told |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    for number, line in _lines(path):
        letters = sum(map(str.isalpha, line))
        if number not in told and len(line) >= FEWEST and letters >= LETTERS and not _ANYBODYS.fullmatch(line):
            yield line


def bare(text: str) -> str:
    """Text as it is compared: without blanks, and without the backslashes that JSON puts before quotes."""
    return "".join(text.replace("\\", "").split())


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Every line of a Python file by its number, bare and without its comment."""
    source = path.read_text(encoding="utf-8-sig")
    lines = source.splitlines(keepends=True)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column]
    yield from enumerate(map(bare, lines), 1)


# --- what students are given -------------------------------------------------------------------------------------


def shown_lines(exercise: Exercise) -> Iterator[str]:
    """Lines of a starter, bare, but for the bodies of the functions and methods that students write."""
    written: set[int] = set()
    for function in asked_functions(exercise):
        written |= set(range(function.body[0].lineno, (function.end_lineno or function.lineno) + 1))
    return (line for number, line in _lines(exercise.starter) if number not in written)


def asked_functions(exercise: Exercise) -> Iterator[ast.FunctionDef]:
    """The functions of a starter that students write: those that the exercise names, and methods of its classes.

    A special method without `raise NotImplementedError`, such as a constructor that is ready, is not asked for.
    """
    for node in _tree(exercise.starter).body:
        if isinstance(node, ast.FunctionDef) and node.name in exercise.defines:
            yield node
        if isinstance(node, ast.ClassDef) and node.name in exercise.defines:
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and (_stops(method) or not method.name.startswith("__")):
                    yield method


def _require_unwritten(exercise: Exercise) -> None:
    """Raises ContentError where a function that students write returns something, or does not stop there."""
    for function in asked_functions(exercise):
        returns = any(isinstance(node, ast.Return | ast.Yield | ast.YieldFrom) for node in ast.walk(function))
        if returns or not _stops(function):
            raise _found(
                exercise.starter,
                f"{function.name} written in, where a starter has `raise NotImplementedError` and returns nothing",
            )


def _stops(function: ast.FunctionDef) -> bool:
    """Whether `raise NotImplementedError` is a statement of its body."""
    raised = (node.exc for node in function.body if isinstance(node, ast.Raise))
    return any("NotImplementedError" in (getattr(exc, "id", ""), _called(exc)) for exc in raised)


def _called(expression: ast.expr | None) -> str:
    return getattr(expression.func, "id", "") if isinstance(expression, ast.Call) else ""


# --- files -------------------------------------------------------------------------------------------------------


def _text(path: Path, content: bytes) -> str:
    """The text of a file that travels; raises ContentError where it cannot be searched."""
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise _found(path, "bytes that are no UTF-8, which cannot be searched for what is hidden") from error
    if "\0" in text:  # UTF-16 without a mark
        raise _found(path, "a zero byte, which no text has")
    return text


def _tree(path: Path) -> ast.Module:
    try:
        return ast.parse(path.read_bytes())
    except (SyntaxError, ValueError) as error:
        raise ContentError(f"{path}: found no Python: {error}; mend it.") from error


def _found(path: Path, what: str) -> ContentError:
    return ContentError(f"{path}: found {what}. Nothing was written; take it out of what students see.")
