"""What holds for every test of the project."""

from __future__ import annotations

import os
import signal
from collections.abc import Generator

import pytest

from grader.course import installed_course, load_course

# As for `grade` itself, and before anything loads torch: over a few numbers, its threads wait for each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# A shell starts what runs in the background with Ctrl-C ignored, and so would be every process that a test interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)

ALL_MODELS = ("test_content_mistake_models.py", "test_named_in_exercises.py")  # every mistake of every exercise
ALL_ATTACKS = "test_configurations.py"  # in each test every attack: minutes


@pytest.hookimpl(wrapper=True)  # pytest takes out what is marked in between
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Generator[None, None, None]:
    """Mark what is slow, and spread what is slowest."""
    _mark_slow(items)
    yield
    _spread(items, [item for item in items if item.path.name == ALL_ATTACKS])


def _mark_slow(items: list[pytest.Item]) -> None:
    """The mistakes of the torch exercises are slow tests: they make thousands of small modules."""
    course = load_course(installed_course())
    with_torch = [name for name, exercise in course.exercises.items() if "torch" in exercise.packages]
    for item in items:
        if item.path.name in ALL_MODELS and any(name in item.name for name in with_torch):
            item.add_marker("slow")


def _spread(items: list[pytest.Item], few: list[pytest.Item]) -> None:
    """Put these at equal distances: processes that share the tests begin with a part of the list each."""
    items[:] = [item for item in items if item not in few]
    distance = len(items) // max(1, len(few))
    for number, item in enumerate(few):
        items.insert(number * (distance + 1), item)
