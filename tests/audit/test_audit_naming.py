"""The audit names pairs without a whole diagnosis for each: what it finds must be what a diagnosis says."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from grader.audit.bench import Bench, sample_of
from grader.audit.naming import is_named
from grader.audit.recalled import Replay
from grader.course import load_course, load_exercise
from grader.diagnosis.engine import diagnose
from grader.diagnosis.trusted import Trusted
from grader.model import DiagnosisKind
from grader.sandbox.client import Sandbox

EXERCISE = "02_scaled_scores"
PAIRS = 40


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1])
def test_what_the_audit_takes_for_named_is_named(seed: int, sandbox: Sandbox) -> None:
    """On a sample of the pairs of a real exercise, audit and diagnosis agree whether the two mistakes are named."""
    course = load_course(Path(__file__).parents[2])
    exercise = load_exercise(course, EXERCISE)
    known = Bench(course, exercise, sandbox, full=True).known
    models = known.models
    pairs = [pair for pair in combinations(models.mistakes, 2) if len(models.options(pair)) == 2]
    for pair in sample_of(pairs, PAIRS):
        with np.errstate(all="ignore"):
            said = diagnose(course, exercise, Trusted(models.build(**models.options(pair))), seed)
        named = said.kind is DiagnosisKind.NAMED and {finding.mistake.slug for finding in said.findings} == set(pair)
        assert is_named(known, known.of(pair, known.styles[0]), seed) is named, pair


def test_a_replay_draws_what_was_drawn() -> None:
    """From the same state comes the very same probe, and the generator goes on as if it had drawn; others differ."""
    replay = Replay(lambda rng: {"x": rng.normal(size=int(rng.integers(1, 5)))})
    rng = np.random.default_rng(0)
    first, second = replay(rng), replay(rng)
    again = np.random.default_rng(0)
    assert replay(again) is first
    assert replay(again) is second
    assert again.random() == rng.random()
    assert replay.kept(first)
    assert not replay.kept(dict(first))
    assert replay(np.random.default_rng(1)) is not first
