"""What a result depends on beside the submission: the grader, the packages that it runs on, and the course."""

from __future__ import annotations

import hashlib
import sys
from functools import cache
from pathlib import Path

from grader.course import Course
from grader.judge.grading import suite_sha256, version_of
from grader.model import Exercise

# files and folders of the package: all that a process of a batch imports; a test follows its imports
PARTS = (
    *("checks.py", "comparison.py", "course.py", "errors.py", "figures.py", "model.py", "remembered.py"),
    *("strict_toml.py", "judge", "diagnosis", "sandbox"),
)


def identity(course: Course, exercise: Exercise) -> dict[str, str]:
    """Everything that two machines must have in common for their reports to be the same, by what a person calls it."""
    return {
        "manyheads": engine_version(),
        "Python": ".".join(map(str, sys.version_info[:3])),
        **{name: version_of(name) for name in ("pytest", *exercise.packages)},
        f"solutions/{exercise.name}": suite_sha256(exercise)[:12],
        f"exercises/{exercise.name}/exercise.toml": _sha256(exercise.folder / "exercise.toml"),
        "exercises/mistakes.toml": _sha256(course.root / "exercises" / "mistakes.toml"),
    }


@cache
def engine_version() -> str:
    """The version of the grader, and a hash of the part of its source that decides about points, findings and names.

    In a checkout the version alone would stay the same while the grading changes. A report holds the keys of sentences:
    their wording (`texts/`) and how they are shown (`report/`) change no result, and are no part of it. What stands
    beside that in these folders, such as what sends shares to a cluster, costs one more grading where it changes.
    """
    root = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for part in PARTS:
        files = sorted((root / part).rglob("*.py")) if (root / part).is_dir() else [root / part]
        for path in files:
            digest.update(f"{path.relative_to(root)}\n".encode())
            digest.update(path.read_bytes())
    return f"{version_of('manyheads')}+{digest.hexdigest()[:12]}"


def _sha256(path: Path) -> str:
    """The beginning of a file's hash, "" where there is none: enough to tell two versions apart."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12] if path.is_file() else ""
