"""A course of one tiny exercise that a test may break, and what an audit of it finds."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from grader.audit.proof import ExerciseAudit
from grader.audit.run import audit_exercise
from grader.course import load_course
from grader.diagnosis import choice
from grader.diagnosis.choice import Candidate, written_choice
from grader.diagnosis.models import load_models
from grader.sandbox.client import Sandbox

NAME = "17_centre"
EXERCISE, SOLUTION = f"exercises/{NAME}", f"solutions/{NAME}"


@dataclass(frozen=True)
class Tiny:
    """A course that a test may break, and what an audit of it finds."""

    root: Path
    sandbox: Sandbox

    def edit(self, path: str, old: str, new: str) -> None:
        """Put another text in the place of one that a file holds."""
        text = (self.root / path).read_text(encoding="utf-8")
        assert old in text
        (self.root / path).write_text(text.replace(old, new), encoding="utf-8")

    def write(self, path: str, text: str) -> None:
        (self.root / path).parent.mkdir(exist_ok=True)
        (self.root / path).write_text(text, encoding="utf-8")

    def remove(self, path: str) -> None:
        (self.root / path).unlink()

    def choose_only(self, index: int, *, changed: bool = False) -> None:
        """Let the choice be this one of `probes()`, or what it was before it was changed."""
        course = load_course(self.root)
        models = load_models(self.root / SOLUTION / "mistakes.py", frozenset(course.mistakes), ("centre",))
        probe = {"x": 7} if changed else models.written[index]
        self.write(f"{SOLUTION}/{choice.NAME}", written_choice([Candidate("written", index, probe)], ["?"]))

    def audit(self, *proofs: str, full: bool = False, every: bool = False) -> ExerciseAudit:
        """Try these proofs, or all of them."""
        chosen = {"proofs": proofs} if proofs else {}
        course = load_course(self.root)
        return audit_exercise(course, NAME, lambda _packages: self.sandbox, full=full, every=every, **chosen)

    def found(self, *proofs: str, full: bool = False, every: bool = False) -> set[str]:
        """Names of the sentences of everything that the proofs found."""
        tried = self.audit(*proofs, full=full, every=every).proofs
        return {finding.key.removeprefix("audit.") for proof in tried for finding in proof.findings}
