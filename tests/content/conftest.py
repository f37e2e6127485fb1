"""Runs each test of the content on every exercise of the course that lies in this checkout."""

from __future__ import annotations

import pytest

from grader.course import Course, installed_course, load_course


def _course() -> Course:
    return load_course(installed_course())


@pytest.fixture(scope="session")
def course() -> Course:
    return _course()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "exercise" in metafunc.fixturenames:
        exercises = _course().exercises
        metafunc.parametrize("exercise", exercises.values(), ids=list(exercises), scope="module")
