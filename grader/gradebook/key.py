"""What a result depends on: where none of it has changed, a submission is not graded again."""

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import asdict

from grader.judge.grading import version_of
from grader.judge.identity import engine_version
from grader.model import Exercise


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
