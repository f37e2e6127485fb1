"""Says what is wrong with a submission that no known mistake explains: the first property of a fixed list that is.

    form of the answer -> weights -> one factor -> with or without a mask -> what leaks where -> some sizes only
    -> an exception, nothing or a list in place of an answer -> one part of several

A sentence speaks of all failing inputs that were tried, or gives the one it speaks of; never of more than was observed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from grader.diagnosis.leaves import Plain, short_form
from grader.diagnosis.locating import conditions, parts, shapes, values
from grader.diagnosis.locating.endings import endings, is_refused, nearly, raises_mostly, rounded
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
    wrong = [evidence for _call, some in _by_call(models, answers) for evidence in evidence_of(models, some)]
    for evidence in wrong:  # where nothing can be said of the first part that is wrong, perhaps of another
        for said in _sentences(evidence, right, submission):
            return said
    if wrong:
        return None
    return next((said for call, some in _by_call(models, answers) for said in _of_digits(some, call)), None)


def _by_call(models: MistakeModels, answers: Sequence[Answer]) -> Iterator[tuple[str, list[Answer]]]:
    calls = [models.call_of(answer.probe) for answer in answers]
    for call in dict.fromkeys(calls):
        yield call, [answer for answer, its_call in zip(answers, calls, strict=True) if its_call == call]


def _of_digits(answers: Sequence[Answer], where: str) -> Iterator[Message]:
    """Every answer counts as right here, so that only their digits can be at fault."""
    yield from rounded(answers, where)
    yield from nearly(answers, where)


def _sentences(evidence: Evidence, right: Ask, submission: Ask) -> Iterator[Message]:
    if evidence.pairs:
        yield from shapes.places(evidence)
        yield from shapes.axes(evidence)
        if evidence.pairs_are_alike:
            yield from values.finite(evidence)
            yield from values.kind(evidence)
            yield from values.weights(evidence)
            yield from values.scale(evidence)
            yield from values.added(evidence)
        yield from values.entries(evidence)
    yield from parts.missing(evidence)
    yield from _beside_the_numbers(evidence)
    yield from conditions.given(evidence)
    yield from conditions.kinds(evidence)
    if not raises_mostly(evidence):  # what the others do would say little
        yield from leaks(evidence, right, submission)
    yield from conditions.sizes(evidence)
    if evidence.pairs:
        yield from shapes.any_shape(evidence)
    yield from endings(evidence)
    yield from nearly(evidence.answers, evidence.where)
    yield from parts.only_one(evidence)


def _beside_the_numbers(evidence: Evidence) -> Iterator[Message]:
    """The answers are right, but for an argument changed in place; or only refusals are wrong."""
    wrong = [answer for answer, case in zip(evidence.answers, evidence.cases, strict=True) if case.wrong]
    changed = {answer.seen.changed for answer in wrong}
    if not any(answer.right.changed for answer in wrong) and () not in changed:
        names = ", ".join(dict.fromkeys(name for found in changed for name in found if name))
        if names and all(_same_but_changed(answer) for answer in wrong):
            yield evidence.message("changed", name=names)
    refusals = [is_refused(answer) for answer in evidence.answers]
    if not wrong or not all(map(is_refused, wrong)) or all(refusals):
        return
    if refusals == [case.wrong for case in evidence.cases]:
        yield evidence.message("refusals")
    else:
        yield evidence.message("some_refusals", **_way_of_not_refusing(evidence, wrong[0]))


def _way_of_not_refusing(evidence: Evidence, answer: Answer) -> dict[str, str]:
    """The numbers that are not refused as they should, and what they give."""
    inputs = evidence.models.inputs_of(answer.probe)
    numbers = ", ".join(f"{name} = {value}" for name, value in inputs.items() if type(value) is int)
    leaf = answer.seen.leaves.get(())
    if answer.seen.raised:
        got = answer.seen.raised.type_name
    else:
        got = leaf.text if isinstance(leaf, Plain) else short_form(leaf.values) if leaf else "-"
    return {"inputs": numbers or "-", "got": got}


def _same_but_changed(answer: Answer) -> bool:
    return same(answer.right, replace(answer.seen, changed=()))
