"""Tries every proof on an exercise: what the author of a course must be able to rely on before a student does.

    exercise --Bench--> proof after proof --> ExerciseAudit

A fault of the content, a ContentError or whatever a file of the solutions raises, is what an audit is for: it becomes a
finding of the proof that met it. Anything else that is raised is a fault of ours and comes out.
"""

from __future__ import annotations

import time
import traceback
import warnings
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from grader.audit.bench import Bench
from grader.audit.content import prove_files, prove_texts
from grader.audit.graded import prove_accepted, prove_junk, prove_reference, prove_starter
from grader.audit.matrix import prove_pairs
from grader.audit.mistakes import prove_checks, prove_mistakes
from grader.audit.mutation import prove_mutants
from grader.audit.oracle import prove_oracle
from grader.audit.probes import prove_probes
from grader.audit.proof import FAULT, ExerciseAudit, Proof
from grader.course import Course, load_exercise
from grader.errors import ContentError
from grader.model import Message
from grader.sandbox.client import Sandbox

PROOFS: Mapping[str, Callable[[Bench, Proof], None]] = {
    "files": prove_files,
    "texts": prove_texts,
    "starter": prove_starter,
    "reference": prove_reference,
    "accepted": prove_accepted,
    "oracle": prove_oracle,
    "probes": prove_probes,
    "mistakes": prove_mistakes,
    "pairs": prove_pairs,
    "mutants": prove_mutants,
    "checks": prove_checks,
    "junk": prove_junk,
}


def audit_exercise(
    course: Course,
    name: str,
    sandbox: Callable[[tuple[str, ...]], Sandbox],
    *,
    full: bool = False,
    every: bool = False,
    proofs: Collection[str] = tuple(PROOFS),
    on_proof: Callable[[Proof], None] = lambda _proof: None,
) -> ExerciseAudit:
    """Try the proofs on one exercise.

    Args:
        sandbox: gives a running one for these packages.
        full: the slow proofs too.
        every: with `full`, nothing is a sample: all mutants, and all pairs are diagnosed.
        proofs: names of those to try, in any order.
        on_proof: called after each of them.

    Raises:
        GraderError: the sandbox or pytest failed.
    """
    done: list[Proof] = []
    told: set[str] = set()
    bench: Bench | None = None
    for each, prove in PROOFS.items():
        if each not in proofs:
            continue
        proof = Proof(each)
        began = time.perf_counter()
        try:
            if bench is None:
                exercise = load_exercise(course, name)
                bench = Bench(course, exercise, sandbox(exercise.packages), full=full, every=every)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # overflow and 0/0 are what some mistakes are about
                prove(bench, proof)
        except Exception as error:
            text = _fault_of_content(course, error)
            if text is None:
                raise
            proof.form = FAULT
            if text in told:
                proof.add(Message("audit.content_fault_again", {"text": text}))
            else:
                proof.find("content_fault", text=text)
            told.add(text)
        proof.seconds = time.perf_counter() - began
        done.append(proof)
        on_proof(proof)
        if bench is None:
            break  # exercise.toml cannot be read: nothing else can be tried
    return ExerciseAudit(name, tuple(done))


def _fault_of_content(course: Course, error: Exception) -> str | None:
    """What to tell the author of an error that their files have raised; None where they have not."""
    if isinstance(error, ContentError):
        return str(error)
    ours, theirs = Path(__file__).parents[1], course.root / "solutions"
    frames = traceback.extract_tb(error.__traceback__)
    concerned = [frame for frame in frames if any(Path(frame.filename).is_relative_to(part) for part in (ours, theirs))]
    if not concerned or not Path(concerned[-1].filename).is_relative_to(theirs):
        return None
    return f"{concerned[-1].filename}, line {concerned[-1].lineno}: found {type(error).__name__}: {error}; mend it."
