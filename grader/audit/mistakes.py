"""Proofs that mistakes and checks meet: every mistake is caught and named, every check is there for a reason."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

import numpy as np

from grader.audit.bench import SEEDS, Bench, shown_switches
from grader.audit.confusion import RIGHT
from grader.audit.naming import is_named
from grader.audit.proof import Proof
from grader.audit.tolerances import unsteady
from grader.diagnosis.behaviour import Behaviour
from grader.diagnosis.engine import diagnose
from grader.diagnosis.trusted import Trusted
from grader.model import DiagnosisKind

REASON = "Why:"  # what begins the reason in the docstring of a check that catches nothing of its own


def prove_mistakes(bench: Bench, proof: Proof) -> None:
    """Every mistake, in every style, fails a hidden check and is named as itself and nothing else."""
    _prove_no_twins(bench, proof)
    caught, named = (set(bench.known.models.mistakes) - set(bench.twins) for _ in range(2))
    for behaviour in bench.known.mistaken:
        (slug,) = behaviour.slugs
        style = shown_switches(bench.known.models, behaviour)
        if not bench.ran_mistakes.failed[behaviour] and slug not in bench.twins:
            proof.find("mistake_passes", slug=slug, style=style)
            caught.discard(slug)
        if slug in bench.one_of_twins:
            continue
        asked = bench.full or behaviour.style == bench.known.styles[0]
        if (asked or not is_named(bench.known, behaviour, SEEDS[0])) and (said := said_of(bench, behaviour)) != slug:
            proof.find("mistake_unnamed", slug=slug, style=style, said=said)
            named.discard(slug)
    if bench.full:
        _prove_steady(bench, proof)
    styles = len(bench.known.mistaken) // len(bench.known.models.mistakes)
    proof.counts |= {"total": len(bench.known.models.mistakes), "caught": len(caught), "named": len(named)}
    proof.counts["styles"] = styles


def _prove_no_twins(bench: Bench, proof: Proof) -> None:
    """No mistake answers every input as right code does, or as another mistake does."""
    models = bench.known.models
    inputs = len(models.probes) + len(bench.candidates)
    for slug, other in bench.twins.items():
        stage, option = models.mistakes[slug]
        fields: dict[str, str | int] = {"slug": slug, "inputs": inputs, "switch": f"{stage}={option!r}"}
        if other == RIGHT:
            proof.find("mistake_is_right", **fields)
        else:
            proof.find("mistake_is_other", other=other, **fields)


def _prove_steady(bench: Bench, proof: Proof) -> None:
    """Every mistake is named with each seed, and under each tolerance."""
    known = bench.known
    alone = [each for each in known.mistaken if each.slugs[0] not in bench.one_of_twins]
    hanging = unsteady(bench, proof, alone, (known.right, *known.mistaken))
    for behaviour in alone:
        seed = next((seed for seed in SEEDS if not is_named(known, behaviour, seed)), None)
        if seed is not None:
            style = shown_switches(known.models, behaviour)
            proof.find("mistake_unsteady", slug=behaviour.slugs[0], style=style, seed=seed)
            hanging.add(behaviour)
    proof.counts["steady"] = len({each.slugs for each in alone} - {each.slugs for each in hanging})
    proof.form = "full"


def said_of(bench: Bench, behaviour: Behaviour) -> str:
    """What a diagnosis names in code with these mistakes, "a, b"; where it is not sure, of what kind its answer is."""
    models = bench.known.models
    subject = Trusted(models.build(**dict(behaviour.style), **models.options(behaviour.slugs)))
    with np.errstate(all="ignore"):  # overflow and 0/0 are what some mistakes are about
        said = diagnose(bench.course, bench.exercise, subject, SEEDS[0])
    slugs = ", ".join(sorted(finding.mistake.slug for finding in said.findings))
    return slugs if said.kind is DiagnosisKind.NAMED else f"{said.kind.value} {slugs}".rstrip()


def prove_checks(bench: Bench, proof: Proof) -> None:
    """Every check catches a mistake or a mutant that no other check catches, or its docstring says why it is there."""
    alone = Counter(name for failed in _failed(bench) if len(failed) == 1 for name in failed)
    reasons = _reasons(bench)
    explained = 0
    checks = bench.ran_mistakes.checks
    for name in checks:
        if alone[name]:
            continue
        if name in reasons:
            explained += 1
        elif RIGHT not in bench.twins.values():  # else that one may be what the check is for
            proof.find("check_without_reason", check=name, reason=REASON)
    for name, text in (bench.ran_mistakes.faults | bench.ran_mutants.faults).items():
        proof.find("check_breaks", check=name, text=text)
    needed = sum(alone[name] > 0 for name in checks)
    proof.counts |= {"total": len(checks), "needed": needed, "explained": explained}


def _failed(bench: Bench) -> Iterator[frozenset[str]]:
    yield from bench.ran_mistakes.failed.values()
    yield from bench.ran_mutants.failed.values()


def _reasons(bench: Bench) -> set[str]:
    """Checks whose docstring has a line that begins with the reason."""
    tree = ast.parse(bench.exercise.suite.read_bytes())
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    return {node.name for node in functions if f"\n{REASON} " in (ast.get_docstring(node) or "")}
