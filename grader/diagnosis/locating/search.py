"""Says what is wrong with a submission that no known mistake explains: the first property of a fixed list that is.

    form of the answer -> weights -> one factor -> with or without a mask -> what leaks where -> some sizes only

A sentence speaks of all failing inputs that were tried, or gives the one it speaks of; never of more than was observed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from grader.diagnosis.leaves import Plain
from grader.diagnosis.locating import conditions, shapes, values
from grader.diagnosis.locating.evidence import Answer, Evidence, evidence_of
from grader.diagnosis.locating.leaks import Ask, leaks
from grader.diagnosis.models import MistakeModels
from grader.diagnosis.observation import same
from grader.model import Message


def located(models: MistakeModels, answers: Sequence[Answer], right: Ask, submission: Ask) -> Message | None:
    """The first property that is wrong; None where there is none that can be named.

    Args:
        answers: the probes that the submission was asked, and both answers.
        right, submission: asked again where one input has to be changed a little.

    Raises:
        Stopped, LoadFailed: the submission's worker was lost.
    """
    evidence = evidence_of(models, answers)
    return None if evidence is None else next(_sentences(evidence, right, submission), None)


def _sentences(evidence: Evidence, right: Ask, submission: Ask) -> Iterator[Message]:
    if evidence.pairs:
        yield from shapes.places(evidence)
        yield from shapes.axes(evidence)
        if evidence.pairs_are_alike:
            yield from values.finite(evidence)
            yield from values.kind(evidence)
            yield from values.weights(evidence)
            yield from values.scale(evidence)
            yield from values.entries(evidence)
    yield from _beside_the_numbers(evidence)
    yield from conditions.given(evidence)
    yield from conditions.kinds(evidence)
    yield from leaks(evidence, right, submission)
    yield from conditions.sizes(evidence)
    if evidence.pairs:
        yield from shapes.any_shape(evidence)


def _beside_the_numbers(evidence: Evidence) -> Iterator[Message]:
    """The answers are right, but for an argument changed in place; or only refusals are wrong."""
    wrong = [answer for answer, case in zip(evidence.answers, evidence.cases, strict=True) if case.wrong]
    changed = {answer.seen.changed for answer in wrong}
    if not any(answer.right.changed for answer in wrong) and () not in changed:
        names = ", ".join(dict.fromkeys(name for found in changed for name in found if name))
        if names and all(_same_but_changed(answer) for answer in wrong):
            yield evidence.message("changed", name=names)
    refusals = [_is_refused(answer) for answer in evidence.answers]
    if refusals == [case.wrong for case in evidence.cases] and not all(refusals):
        yield evidence.message("refusals")


def _same_but_changed(answer: Answer) -> bool:
    return same(answer.right, replace(answer.seen, changed=()))


def _is_refused(answer: Answer) -> bool:
    """Whether right code refuses this input."""
    leaf = answer.right.leaves.get(())
    return isinstance(leaf, Plain) and leaf.kind == "refusal"
