"""What a result depends on: where none of it has changed, a submission is not graded again."""

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import asdict
from functools import cache
from pathlib import Path

from grader.judge.grading import version_of
from grader.model import Exercise

_PARTS = ("checks.py", "comparison.py", "judge", "diagnosis", "sandbox")


def result_key(exercise: Exercise, submission_sha256: str, suite_sha256: str) -> str:
    """One hash of a submission, of everything that decides about its points, and of what it is graded with."""
    parts = [
        *(submission_sha256, suite_sha256, asdict(exercise.limits), exercise.packages),
        *(
            engine_version(),
            sys.version_info[:3],
            [(name, version_of(name)) for name in ("pytest", *exercise.packages)],
        ),
    ]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


@cache
def engine_version() -> str:
    """The version of the grader, and a hash of the part of its source that grades.

    In a checkout the version alone would stay the same while the grading changes.
    """
    root = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for part in _PARTS:
        files = sorted((root / part).rglob("*.py")) if (root / part).is_dir() else [root / part]
        for path in files:
            digest.update(f"{path.relative_to(root)}\n".encode())
            digest.update(path.read_bytes())
    return f"{version_of('manyheads')}+{digest.hexdigest()[:12]}"
