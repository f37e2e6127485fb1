"""The executable mistake models: right where they should be, and shown on few numbers; the audit tells them apart."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import islice, product
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from grader.course import Course, load_module
from grader.diagnosis.observation import TOLERANCE, Observation, distance, observation_of
from grader.gradebook.nameable import nameable
from grader.model import Exercise
from grader.sandbox.client import LocalSubject

MARGIN = 1e-2  # below this, two behaviours are too close to be told apart
MOST_SMALL = 40  # small probes among which a counterexample must be found

Model = tuple[str, tuple[tuple[str, str], ...]]  # slug ("" for right code), style


@pytest.fixture(scope="module")
def models(exercise: Exercise) -> ModuleType:
    return load_module(exercise.solution / "mistakes.py")


@cache
def styles(models: ModuleType) -> tuple[tuple[tuple[str, str], ...], ...]:
    """Every right way to write the stages that mistakes elsewhere may look different with; one, (), where none is."""
    stages = getattr(models, "STYLES", ())
    return tuple(tuple(zip(stages, options, strict=True)) for options in product(*(models.STAGES[s] for s in stages)))


def observe(models: ModuleType, namespace: object, probes: Sequence[Any]) -> list[Observation]:
    """What a trusted module or namespace does with each probe."""
    with np.errstate(all="ignore"):
        return [observation_of(models.observe, LocalSubject(namespace), probe) for probe in probes]


def built(models: ModuleType, model: Model) -> object:
    slug, style = model
    namespace = models.build(**dict(style), **dict([models.MISTAKES[slug]] if slug else []))
    namespace.__file__ = models.__file__  # an exception comes with its line, as that of a submission does
    return namespace


def apart(one: Sequence[Observation], other: Sequence[Observation]) -> list[int]:
    """Indices of the probes on which two behaviours are clearly different."""
    return [i for i, (a, b) in enumerate(zip(one, other, strict=True)) if distance(a, b) >= MARGIN]


def test_build_is_the_reference(exercise: Exercise, models: ModuleType) -> None:
    """Without a mistake, and in every style, a model must do what the reference does."""
    rng = np.random.default_rng(0)
    probes = [*models.probes(), *models.small_probes(), *(models.fresh_probe(rng) for _ in range(30))]
    right = observe(models, load_module(exercise.reference), probes)
    assert all(seen.asked for seen in right)
    for style in styles(models):
        seen = observe(models, built(models, ("", style)), probes)
        assert max(distance(a, b) for a, b in zip(seen, right, strict=True)) <= 1e-9, style


def test_what_can_be_named_is_read_off_the_models(exercise: Exercise, models: ModuleType, course: Course) -> None:
    """The report on a class says of a mistake whether it can occur, without running the models of an exercise."""
    assert nameable(exercise.solution, course.mistakes.keys()) == set(models.MISTAKES)


def test_accepted_solutions_do_what_the_reference_does(exercise: Exercise, models: ModuleType) -> None:
    """A right but unusual solution must never look like a mistake on any probe."""
    probes = [*models.probes(), *models.small_probes()]
    right = observe(models, load_module(exercise.reference), probes)
    for path in (exercise.solution / "accepted").glob("*.py"):
        seen = observe(models, load_module(path), probes)
        assert max(distance(a, b) for a, b in zip(seen, right, strict=True)) <= TOLERANCE, path.name


def test_every_mistake_has_a_small_counterexample(exercise: Exercise, models: ModuleType) -> None:
    """Among the first small probes there must be one that shows the mistake."""
    probes = list(islice(models.small_probes(), MOST_SMALL))
    right = observe(models, load_module(exercise.reference), probes)
    hidden = [slug for slug in models.MISTAKES if not apart(observe(models, built(models, (slug, ())), probes), right)]
    assert hidden == []


def test_probes_are_the_same_each_time(models: ModuleType) -> None:
    """The fixed probes must not depend on when they are made, and 8 to 24 are enough."""
    once, again = models.probes(), models.probes()
    assert 8 <= len(once) <= 24
    for one, other in zip(once, again, strict=True):
        np.testing.assert_equal(one, other)


def test_small_probes_are_small(models: ModuleType) -> None:
    """Arrays of the first small probe must hold at most 8 numbers, and of those looked at no more than can be read."""
    arrays = [filter(np.ndim, probe.values()) for probe in islice(models.small_probes(), MOST_SMALL)]
    sizes = [sum(map(np.size, found)) for found in arrays]
    assert sizes[0] <= 8
    assert max(sizes) <= 36
