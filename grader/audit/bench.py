"""One exercise on the bench: its files, its models and what its hidden suite says, each read or run once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path

import numpy as np

from grader.audit.mutants import Mutant, given_functions, mutants_of
from grader.audit.suites import Ran, run_suite
from grader.course import Course
from grader.diagnosis.behaviour import Behaviour, Behaviours, behaviours
from grader.diagnosis.leaves import short_form
from grader.diagnosis.models import MistakeModels, Probe
from grader.model import Exercise
from grader.sandbox.client import LocalSubject, Sandbox

# How much a quick audit looks at: accepted variants to be mutated, mutants in all, pairs of mistakes.
QUICK_VARIANTS, QUICK_MUTANTS, QUICK_PAIRS = 3, 200, 2000
FRESH, SMALL = 48, 120  # random and small probes that are looked at beside the fixed ones


class Bench:
    """What the proofs share.

    Args:
        sandbox: one that has the packages of the exercise.
        full: the slow proofs too, and the quick ones over everything there is.
    """

    def __init__(self, course: Course, exercise: Exercise, sandbox: Sandbox, *, full: bool) -> None:
        self.course = course
        self.exercise = exercise
        self.sandbox = sandbox
        self.full = full

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
        return behaviours(path, frozenset(self.course.mistakes), self.exercise.defines)

    @cached_property
    def inputs(self) -> Sequence[Probe]:
        """Everything that right code is asked: the probes, small ones, and random ones."""
        models, rng = self.known.models, np.random.default_rng(0)
        return [*models.probes, *islice(models.small_probes(), SMALL), *(models.fresh_probe(rng) for _ in range(FRESH))]

    # --- what the hidden suite says ----------------------------------------------------------------------------

    @cached_property
    def mutants(self) -> tuple[Mutant, ...]:
        """Mutants of the reference and of accepted variants.

        A quick audit takes the first, the middle and the last variant, and of their mutants no more than it has time
        for, from everywhere in the files.
        """
        last = len(self.accepted) - 1
        quick = {round(last * step / (QUICK_VARIANTS - 1)) for step in range(QUICK_VARIANTS)}
        paths = [path for index, path in enumerate(self.accepted) if self.full or index in quick]
        given = given_functions(self.exercise.starter)
        found = list(mutants_of(self.exercise.reference, self.exercise.filename, given))
        for path in paths:
            found += mutants_of(path, f"accepted/{path.name}", given)
        return tuple(found if self.full else found[:: -(-len(found) // QUICK_MUTANTS)])

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


def shown_probe(models: MistakeModels, probe: Probe) -> str:
    """The call that a probe makes, and its inputs by type and size."""
    inputs = ", ".join(f"{name} = {short_form(value)}" for name, value in models.inputs_of(probe).items())
    return f"{models.call_of(probe)} with {inputs}"


def shown_style(behaviour: Behaviour) -> str:
    """The style of a mistake as an author writes it, "fill=large-negative"."""
    return ", ".join(f"{stage}={option}" for stage, option in behaviour.style)
