"""Starts the process that a batch forks its others from before anything slow is imported in this one."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from grader.course import Course
from grader.errors import ContentError
from grader.judge.seed_process import MANY, SeedProcess, cores


@contextmanager
def early_seed(course: Course, names: Sequence[str], submissions: str | None) -> Iterator[SeedProcess | None]:
    """A seed for these exercises; None where they need different packages, or nothing is graded here.

    How many submissions there are is guessed; where they turn out to be hundreds, another seed is started later.
    """
    try:
        kinds = {course.exercises[name].packages for name in names} if submissions is not None else set()
    except ContentError:  # told as soon as somebody needs what is broken
        kinds = set()
    if len(kinds) != 1:
        yield None
        return
    with SeedProcess(*kinds, many=_entries(Path(submissions or "")) >= MANY * cores()) as seed:
        yield seed


def _entries(folder: Path) -> int:
    try:
        return sum(1 for _ in os.scandir(folder))
    except OSError:  # an archive, or nothing at all
        return 0
