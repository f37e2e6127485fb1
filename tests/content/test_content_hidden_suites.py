"""The hidden suites: they accept every right solution, and each mistake fails at least one of their checks."""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from grader.course import load_module
from grader.judge.plugin import Suite, with_suite
from grader.model import Exercise
from grader.sandbox.client import LocalSubject


def with_scores(exercise: Exercise, look: Callable[[Suite, Callable[[object], set[str]]], None]) -> None:
    """Collect the hidden suite and hand `look` a function that names the checks a namespace fails."""

    def use(suite: Suite) -> None:
        def failed(namespace: object) -> set[str]:
            subject = LocalSubject(namespace)
            with np.errstate(all="ignore"):
                return {check.name for check in suite.checks for case in check.cases if suite.run(case, subject)}

        look(suite, failed)

    with_suite(exercise, use)


@pytest.fixture(scope="module")
def models(exercise: Exercise) -> ModuleType:
    return load_module(exercise.solution / "mistakes.py")


def test_points_sum_to_ten(exercise: Exercise) -> None:
    """A hidden suite must have four to seven checks that give ten points together."""

    def look(suite: Suite, _failed: Any) -> None:
        assert 4 <= len(suite.checks) <= 7
        assert sum(check.points for check in suite.checks) == 10

    with_scores(exercise, look)


def test_right_solutions_pass(exercise: Exercise) -> None:
    """The reference, and at least three right but unusual solutions, must pass every check."""
    accepted = sorted((exercise.solution / "accepted").glob("*.py"))
    assert len(accepted) >= 3

    def look(_suite: Suite, failed: Callable[[object], set[str]]) -> None:
        for path in (exercise.reference, *accepted):
            assert failed(load_module(path)) == set(), path.name

    with_scores(exercise, look)


def test_starter_passes_no_check(exercise: Exercise) -> None:
    """An untouched starter must get no point."""

    def look(suite: Suite, failed: Callable[[object], set[str]]) -> None:
        assert failed(load_module(exercise.starter)) == {check.name for check in suite.checks}

    with_scores(exercise, look)


def test_mistakes_and_checks_meet(exercise: Exercise, models: ModuleType) -> None:
    """Situation C107: every mistake must fail a check, and every check must be failed by a mistake."""

    def look(suite: Suite, failed: Callable[[object], set[str]]) -> None:
        fails = {slug: failed(models.build(**dict([switch]))) for slug, switch in models.MISTAKES.items()}
        assert [slug for slug, names in fails.items() if not names] == []
        assert {check.name for check in suite.checks} == set().union(*fails.values())

    with_scores(exercise, look)


def test_reference_answers_after_the_submission(exercise: Exercise) -> None:
    """In every check the submission must be asked before the reference, so that nothing right lies about by then."""
    for node in ast.parse(exercise.suite.read_bytes()).body:
        if not (isinstance(node, ast.FunctionDef) and node.name.startswith("test_")):
            continue
        calls = [call.func for call in ast.walk(node) if isinstance(call, ast.Call)]
        lines: dict[str, list[int]] = {"submission": [], "reference": []}
        for function in calls:
            if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
                lines.setdefault(function.value.id, []).append(function.lineno)
        assert lines["submission"], node.name
        assert all(line > min(lines["submission"]) for line in lines["reference"]), node.name
