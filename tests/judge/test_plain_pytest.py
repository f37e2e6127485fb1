"""The grader's loop says of each case what a plain pytest process says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from plain_subjects import COURSE, namespaces

from grader.judge.plugin import Suite, with_suite
from grader.sandbox.client import LocalSubject

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_each_verdict_is_that_of_plain_pytest(tmp_path: Path) -> None:
    """Right and wrong code pass and fail as many cases of each check as in pytest with all its plugins and defaults."""
    ours: Counter[tuple[str, str, str, bool]] = Counter()
    for name, exercise in COURSE.exercises.items():

        def use(suite: Suite, name: str = name) -> None:
            for label, namespace in namespaces(name).items():
                subject = LocalSubject(namespace)
                for check in suite.checks:
                    for case in check.cases:
                        with np.errstate(all="ignore"):
                            ours[name, label, check.name, suite.run(case, subject) is None] += 1

        with_suite(exercise, use)
    variables = {
        **{key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")},
        "PYTHONPATH": os.pathsep.join(map(str, (ROOT, Path(__file__).parent))),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PLAIN_RESULTS": str(tmp_path / "results.json"),
    }
    command = [sys.executable, "-m", "pytest", "-q", "-p", "plain_subjects", "-p", "no:cacheprovider"]
    command += ["-c", os.devnull, f"--rootdir={tmp_path}", "--import-mode=importlib", "--tb=no"]
    command += [str(exercise.suite) for exercise in COURSE.exercises.values()]
    done = subprocess.run(command, env=variables, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr  # some tests failed, and nothing else went wrong
    plain = Counter(map(tuple, json.loads((tmp_path / "results.json").read_text())))
    assert ours == plain
    assert {(name, passed) for name, *_names, passed in plain} == {
        (n, p) for n in COURSE.exercises for p in (True, False)
    }
