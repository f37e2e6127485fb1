"""Proofs that grade whole files, as a student's would be: starter, reference, accepted variants, junk."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

from grader.audit.bench import Bench, shown_probe
from grader.audit.junk import KINDS, junk_source
from grader.audit.proof import Proof
from grader.course import load_module
from grader.diagnosis.engine import diagnose
from grader.diagnosis.observation import observation_of, same
from grader.errors import ContentError, GraderError
from grader.judge.grading import grade_all
from grader.model import GradeReport, Message, Outcome, Submission, Verdict
from grader.sandbox.client import LocalSubject


def prove_starter(bench: Bench, proof: Proof) -> None:
    """The starter is "not attempted", and says at exactly one place where to begin."""
    starter = bench.exercise.starter
    source = _source(starter)
    todos = len(re.findall(r"\bTODO\b", source.decode("utf-8", "replace")))
    if todos != 1:
        proof.find("starter_todos", file=bench.shown(starter), found=todos)
    for report in _graded(bench, proof, {bench.shown(starter): source}):
        if report.verdict is not Verdict.NOT_ATTEMPTED:
            proof.find("starter_attempted", file=report.who, verdict=report.verdict.value)


def prove_reference(bench: Bench, proof: Proof) -> None:
    """The reference gets every point, and no mistake is named in it."""
    _prove_right(bench, proof, [bench.exercise.reference])


def prove_accepted(bench: Bench, proof: Proof) -> None:
    """Every accepted variant gets every point, and no mistake is named in it."""
    _prove_right(bench, proof, bench.accepted)


def _prove_right(bench: Bench, proof: Proof, paths: Iterable[Path]) -> None:
    sources = {bench.shown(path): _source(path) for path in paths}
    clean = 0
    for report in _graded(bench, proof, sources):
        before = len(proof.findings)
        for check in report.checks:
            if check.outcome is not Outcome.PASSED:
                proof.find("right_fails", file=report.who, check=check.name, outcome=check.outcome.value)
                for failure in check.failures[:1]:
                    proof.add(failure.message)  # said in the reader's language
        _prove_nothing_named(bench, proof, report.who)
        clean += len(proof.findings) == before
    proof.counts |= {"total": len(sources), "clean": clean}


OF_DIGITS = ("located.nearly", "located.rounded")  # no difference: how exact an answer must be is for the checks


def _prove_nothing_named(bench: Bench, proof: Proof, shown: str) -> None:
    """Asked directly, whatever its points, the engine names nothing and finds no input that shows a difference."""
    subject = LocalSubject(load_module(bench.course.root / shown))
    said = diagnose(bench.course, bench.exercise, subject, seed=0)
    for finding in said.findings:
        if finding.mistake.slug not in bench.twins:
            proof.find("right_named", file=shown, slug=finding.mistake.slug)
    if said.counterexample is not None and not said.findings:
        proof.find("right_differs", file=shown, call=_first_differing(bench, subject) or said.counterexample.call)
    elif said.located is not None and said.located.key not in OF_DIGITS:
        proof.find("right_differs", file=shown, call=said.kind.value)


def _first_differing(bench: Bench, subject: LocalSubject) -> str | None:
    """The first input on which it does something else than right code, with its type and size."""
    known = bench.known
    for probe in bench.inputs:
        if not same(observation_of(known.models.observe, subject, probe), known.right.on(probe)):
            return shown_probe(known.models, probe)
    return None


# --- junk --------------------------------------------------------------------------------------------------------


def prove_junk(bench: Bench, proof: Proof) -> None:
    """Whatever comes back in place of an answer, every check refuses it, and none of them breaks over it."""
    right = _source(bench.exercise.reference)
    sources = {kind: junk_source(right, bench.exercise.defines, kind) for kind in KINDS}
    for report in _graded(bench, proof, sources, faults_found=True):
        if report.verdict is Verdict.GRADER_ERROR:
            proof.find("junk_breaks", kind=report.who)
        for check in report.checks:
            if check.outcome is Outcome.PASSED:
                proof.find("junk_passes", kind=report.who, check=check.name)
    proof.counts |= {"kinds": len(KINDS), "checks": len(bench.exercise.rules)}


# --- grading -----------------------------------------------------------------------------------------------------


def _source(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ContentError(f"{path}: found no such file; write it (see AUTHORING.md).") from error


def _graded(bench: Bench, proof: Proof, sources: dict[str, bytes], *, faults_found: bool = False) -> list[GradeReport]:
    """Reports on these files, by the name in `who`.

    Args:
        faults_found: a check that breaks is a finding, told by the reports; else it comes out as the error it is.
    """
    reports: list[GradeReport] = []
    submissions = [
        Submission(who, bench.exercise.name, bench.exercise.filename, source, hashlib.sha256(source).hexdigest())
        for who, source in sources.items()
    ]
    try:
        grade_all(bench.course, bench.exercise, submissions, reports.append, sandbox=bench.sandbox)
    except GraderError as error:
        if isinstance(error.__cause__, ContentError):  # of mistakes.py or a card, met while a mistake was looked for
            raise error.__cause__ from error
        if not faults_found or not reports or _is_ours(error):
            raise
        proof.add(Message("audit.junk_breaks_first", {"text": str(error.__cause__ or error)}))
    return reports


def _is_ours(error: GraderError) -> bool:
    """Whether the sandbox or pytest failed, and not a check over an answer."""
    return isinstance(error.__cause__, GraderError)
