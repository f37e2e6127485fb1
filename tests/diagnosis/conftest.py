"""A small course, and subjects made from source, in this process or in one warm sandbox."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from grader.course import Course, load_course, load_exercise
from grader.diagnosis.engine import diagnose
from grader.model import Diagnosis, Exercise, Limits
from grader.sandbox.client import LocalSubject, RemoteSubject, Sandbox


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    """Every layer that this machine allows."""
    with Sandbox() as sandbox:
        yield sandbox


@pytest.fixture(scope="session")
def course() -> Course:
    """The course of these tests: one exercise, six mistakes."""
    return load_course(Path(__file__).parent / "course")


@pytest.fixture(scope="session")
def exercise(course: Course) -> Exercise:
    return load_exercise(course, "01_rows")


RIGHT = """
def row_sums(x):
    return x.sum(axis=1)

def centred(x):
    return x - x.mean(axis=1, keepdims=True)
"""


def local(source: str) -> LocalSubject:
    """A subject in this process: right code, then what the source defines anew."""
    module = ModuleType("student")
    vars(module).update(np=np, __file__="student.py")
    exec(compile(RIGHT + source, "student.py", "exec"), vars(module))  # noqa: S102 - source written in these tests
    return LocalSubject(module)


@pytest.fixture
def diagnosed(course: Course, exercise: Exercise) -> Callable[..., Diagnosis]:
    """What is said of right code in which the source defines functions anew."""

    def diagnosed(source: str, seed: int = 0) -> Diagnosis:
        return diagnose(course, exercise, local(source), seed)

    return diagnosed


@pytest.fixture
def remote(sandbox: Sandbox) -> Iterator[Callable[..., RemoteSubject]]:
    """A subject in the sandbox, from the same kind of source."""
    opened = []

    def remote(source: str, wall_s: float = 5.0) -> RemoteSubject:
        opened.append(
            sandbox.open(("import numpy as np\n" + RIGHT + source).encode(), "rows.py", Limits(wall_s=wall_s))
        )
        return opened[-1]

    yield remote
    for subject in opened:
        subject.close()
