"""One exercise on the bench: its files, its models and what its hidden suite says, each read or run once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from itertools import islice
from pathlib import Path
from typing import TypeVar

import numpy as np

from grader.audit.classes import MARGIN, close_pairs
from grader.audit.mutants import Mutant, given_functions, mutants_of
from grader.audit.recalled import recalled
from grader.audit.suites import Ran, run_suite
from grader.audit.twins import twins
from grader.course import Course
from grader.diagnosis.behaviour import Behaviour, Behaviours
from grader.diagnosis.choice import Candidate, candidates
from grader.diagnosis.leaves import short_form
from grader.diagnosis.models import MistakeModels, Probe, load_models
from grader.diagnosis.observation import Observation, distance
from grader.model import Exercise
from grader.sandbox.client import LocalSubject, Sandbox

# How much a quick audit looks at: accepted variants to be mutated, mutants in all, pairs of mistakes.
QUICK_VARIANTS, QUICK_MUTANTS, QUICK_PAIRS = 3, 120, 300
FULL_MUTANTS, FULL_PAIRS = 600, 300  # and a full one, of the pairs those that it diagnoses; `every` takes them all
SEEDS = (0, 1, 2)  # of the fresh probes of a diagnosis; a quick audit takes the first
FRESH, SMALL = 48, 120  # random and small probes that are looked at beside the fixed ones
SAME, NEARLY = 1e-9, 1e-3  # what differs by more than the one and less than the other hangs on the tolerance

Item = TypeVar("Item")


class Bench:
    """What the proofs share.

    Args:
        sandbox: one that has the packages of the exercise.
        full: the slow proofs too, and most of the quick ones over everything there is.
        every: of all that is looked at nothing is a sample.
        choosing: the probes are those of the author, whatever was chosen of them before.
    """

    def __init__(
        self,
        course: Course,
        exercise: Exercise,
        sandbox: Sandbox,
        *,
        full: bool,
        every: bool = False,
        choosing: bool = False,
    ) -> None:
        self.course = course
        self.exercise = exercise
        self.sandbox = sandbox
        self.full = full
        self.every = every
        self.choosing = choosing

    # --- files -------------------------------------------------------------------------------------------------

    @cached_property
    def accepted(self) -> tuple[Path, ...]:
        """Right but unusual solutions, by name."""
        return tuple(sorted((self.exercise.solution / "accepted").glob("*.py")))

    def shown(self, path: Path) -> str:
        """A file as findings name it: by exercise, and from its folder on."""
        return path.relative_to(self.course.root).as_posix()

    # --- models ------------------------------------------------------------------------------------------------

    @cached_property
    def known(self) -> Behaviours:
        """Right code and every mistake; raises ContentError where mistakes.py is not well written."""
        path = self.exercise.solution / "mistakes.py"
        slugs = frozenset(self.course.mistakes)
        known = recalled(load_models(path, slugs, self.exercise.defines, choosing=self.choosing))
        known.try_rest()
        return known

    @cached_property
    def candidates(self) -> Sequence[Candidate]:
        """Every probe that may be chosen."""
        models = self.known.models
        return candidates(models.written, models.fresh_probe)

    @cached_property
    def right_on_candidates(self) -> Callable[[int], Observation]:
        """What right code does with a candidate, by its index."""
        return cache(lambda index: self.known.right.on(self.candidates[index].probe))

    @cached_property
    def is_clear(self) -> Callable[[int], bool]:
        """Whether on a candidate, by its index, mistakes are clearly apart from right code and each other, or the same.

        Others are not chosen: on them it would hang on the tolerance what counts as the same.
        """

        def is_clear(index: int) -> bool:
            right, probe = self.right_on_candidates(index), self.candidates[index].probe
            answers = [mistaken.on(probe) for mistaken in self.known.mistaken]
            if any(SAME < distance(right, answer) < MARGIN for answer in answers):
                return False
            return not any(SAME < distance(one, other) < NEARLY for one, other in close_pairs(answers))

        return cache(is_clear)

    @cached_property
    def twins(self) -> Mapping[str, str]:
        """Mistakes that no input tells from right code or from another mistake; one finding says so of each."""
        return twins(self.known, self.candidates)

    @cached_property
    def one_of_twins(self) -> frozenset[str]:
        """Mistakes that cannot be named, since another one answers as they do; with those that answer as right code."""
        return frozenset({*self.twins, *self.twins.values()})

    @cached_property
    def inputs(self) -> Sequence[Probe]:
        """Everything that right code is asked: the probes, small ones, and random ones."""
        models, rng = self.known.models, np.random.default_rng(0)
        return [
            *models.probes,
            *models.rest,
            *islice(models.small_probes(), SMALL),
            *(models.fresh_probe(rng) for _ in range(FRESH)),
        ]

    # --- what the hidden suite says ----------------------------------------------------------------------------

    @cached_property
    def mutants(self) -> tuple[Mutant, ...]:
        """Mutants of the reference and of accepted variants, no more than there is time for, from all over the files.

        A quick audit takes the first, the middle and the last variant only.
        """
        last = len(self.accepted) - 1
        quick = {round(last * step / (QUICK_VARIANTS - 1)) for step in range(QUICK_VARIANTS)}
        paths = [path for index, path in enumerate(self.accepted) if self.full or index in quick]
        given = given_functions(self.exercise.starter)
        found = list(mutants_of(self.exercise.reference, self.exercise.filename, given))
        for path in paths:
            found += mutants_of(path, f"accepted/{path.name}", given)
        most = len(found) if self.every else FULL_MUTANTS if self.full else QUICK_MUTANTS
        return tuple(sample_of(found, most))

    @cached_property
    def ran_mistakes(self) -> Ran[Behaviour]:
        """The hidden suite over every mistake in every style, in this process."""
        models = self.known.models
        return run_suite(
            self.exercise,
            (
                (each, LocalSubject(models.build(**dict(each.style), **models.options(each.slugs))))
                for each in self.known.mistaken
            ),
        )

    @cached_property
    def ran_mutants(self) -> Ran[Mutant]:
        """The hidden suite over every mutant, in the sandbox: a mutant may do anything."""
        exercise = self.exercise
        return run_suite(
            exercise,
            ((each, self.sandbox.open(each.source, exercise.filename, exercise.limits)) for each in self.mutants),
        )


def sample_of(items: Sequence[Item], most: int) -> list[Item]:
    """So many of these at most, the same each time, from everywhere among them."""
    chosen = np.random.default_rng(0).permutation(len(items))[:most]
    return [items[index] for index in sorted(chosen)]


def shown_probe(models: MistakeModels, probe: Probe) -> str:
    """The call that a probe makes, and its inputs by type and size."""
    inputs = ", ".join(f"{name} = {short_form(value)}" for name, value in models.inputs_of(probe).items())
    return f"{models.call_of(probe)} with {inputs}"


def shown_switches(models: MistakeModels, behaviour: Behaviour) -> str:
    """How `build` makes this mistake in this style, "over=positions, fill=large-negative"."""
    switches = {**models.options(behaviour.slugs), **dict(behaviour.style)}
    return ", ".join(f"{stage}={option}" for stage, option in switches.items())
