"""Whole reports, word for word: each folder holds a submission and the JSON that grading it must give.

A change that is meant is written with MANYHEADS_WRITE_GOLDEN=1 in the environment, and then read in the diff.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.course import installed_course, load_course, read_submission
from grader.judge.grading import grade_one
from grader.report.json import json_report
from grader.sandbox.client import Sandbox

CASES = sorted(path for path in Path(__file__).parent.iterdir() if path.is_dir() and list(path.glob("*.py")))
COURSE = load_course(installed_course())


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    """One warm sandbox for all cases."""
    with Sandbox() as sandbox:
        yield sandbox


def stable(report: str) -> dict[str, Any]:
    """A report without what differs from machine to machine and from one suite to the next."""
    told = json.loads(report)
    kept = ("seed", "submission_sha256")
    told["provenance"] = {name: value for name, value in told["provenance"].items() if name in kept}
    return told


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_report_is_the_recorded_one(case: Path, sandbox: Sandbox) -> None:
    """Grading the submission of this folder gives exactly the report beside it."""
    (source,) = case.glob("*.py")
    exercise = next(exercise for exercise in COURSE.exercises.values() if exercise.module == source.stem)
    report = grade_one(COURSE, exercise, read_submission(source, exercise, case.name), sandbox=sandbox)
    found = stable(json_report(report))
    expected = case / "report.json"
    if os.environ.get("MANYHEADS_WRITE_GOLDEN"):
        expected.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    assert found == json.loads(expected.read_text(encoding="utf-8"))
