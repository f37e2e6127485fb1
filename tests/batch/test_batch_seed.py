"""The process that a batch forks its others from starts before everything else, and never outlives its use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from grader.cli.batch_seed import early_seed
from grader.course import load_course
from grader.judge.seed_process import MANY, SeedProcess, cores

ROOT = Path(__file__).parents[2]
COURSE = load_course(ROOT)
NUMPY, TORCH = "04_concat", "09_scaled_dot_product"


def children() -> set[str]:
    return set(Path(f"/proc/self/task/{os.getpid()}/children").read_text().split())


@pytest.mark.parametrize(
    ("names", "submissions"), [((NUMPY, TORCH), "."), ((NUMPY,), None)], ids=["different packages", "nothing to grade"]
)
def test_no_seed_where_it_might_be_the_wrong_one(names: tuple[str, ...], submissions: str | None) -> None:
    """Exercises with different packages have no seed in common, and where nothing is graded none is needed."""
    before = children()
    with early_seed(COURSE, names, submissions) as seed:
        assert seed is None
        assert children() == before


@pytest.mark.parametrize("entries", [0, MANY * cores()])
def test_a_seed_is_guessed_from_the_folder(tmp_path: Path, entries: int) -> None:
    """A large folder is taken for a large class; what is for many serves a few too, and the other way round not."""
    for i in range(entries):
        (tmp_path / f"s{i}").mkdir()
    before = children()
    with early_seed(COURSE, (NUMPY, NUMPY), str(tmp_path)) as seed:
        assert seed is not None
        assert seed.is_there
        packages = COURSE.exercises[NUMPY].packages
        assert (seed.fits(packages, many=False), seed.fits(packages, many=True)) == (True, entries > 0)
        assert not seed.fits((*packages, "torch"), many=False)
    assert (seed.is_there, children()) == (False, before)


def test_a_seed_may_be_closed_twice() -> None:
    """Whoever started it and whoever used it may both end it."""
    with SeedProcess(("numpy",), many=False) as seed:
        seed.close()
        assert not seed.is_there
