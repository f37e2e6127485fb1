"""What comes back where right numbers should: an exception, nothing at all, a list, or numbers with fewer digits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grader.checks import is_deliberate
from grader.diagnosis.leaves import Leaf, Numbers, Plain
from grader.diagnosis.locating.evidence import Answer, Evidence
from grader.diagnosis.observation import distance, same
from grader.model import Message
from grader.sandbox.wire import ExceptionReport

MOST_NAMED = 3  # exceptions or lines in one sentence
SMALL = 1e-3  # relative error up to which a result is nearly right
NOISE = 2e-9  # smaller errors are those of right code: the checks let them pass


def endings(evidence: Evidence) -> Iterator[Message]:
    """The same thing in place of every answer that is wrong, where an answer is due."""
    wrong = _wrong(evidence)
    reports = [answer.seen.raised for answer in wrong if answer.seen.raised]
    if reports:
        yield from _raised(evidence, reports, always=len(reports) == len(wrong))
    elif wrong:
        yield from _others(evidence, wrong)


def raises_mostly(evidence: Evidence) -> bool:
    """Whether most of the wrong answers are exceptions."""
    wrong = _wrong(evidence)
    return 2 * sum(answer.seen.raised is not None for answer in wrong) > len(wrong)


def _wrong(evidence: Evidence) -> list[Answer]:
    """The answers that are wrong, where one is due."""
    pairs = zip(evidence.answers, evidence.cases, strict=True)
    return [answer for answer, case in pairs if case.wrong and not is_refused(answer)]


def _raised(evidence: Evidence, reports: Sequence[ExceptionReport], *, always: bool) -> Iterator[Message]:
    types = dict.fromkeys(report.type_name.partition(":")[0] for report in reports)
    lines = sorted({report.line for report in reports if report.line is not None})
    if not lines and always and [*types] == ["TypeError"] and all("argument" in report.text for report in reports):
        yield evidence.message("not_callable")
    if len(types) > MOST_NAMED or not 0 < len(lines) <= MOST_NAMED:
        return
    key = "refused" if all(is_deliberate(report) for report in reports) else "raised" if always else "raised_for_some"
    yield evidence.message(key, error=", ".join(types), line=", ".join(map(str, lines)))


def _others(evidence: Evidence, wrong: Sequence[Answer]) -> Iterator[Message]:
    """Nothing, a list, a text, or a float where a whole number is due."""
    kinds = {_kind(leaf) for answer in wrong for leaf in answer.seen.leaves.values()}
    if kinds == {"NoneType"}:
        yield evidence.message("nothing")
    due = [answer.right.leaves.get(()) for answer in wrong]
    whole = {_kind(answer.seen.leaves.get(())) for answer in wrong}
    if all(isinstance(leaf, Numbers) for leaf in due) and whole == {"sequence"}:
        yield evidence.message("listed")
    if whole == {"str"}:
        yield evidence.message("text")
    numbers = [answer.seen.leaves.get(()) for answer in wrong]
    if {_kind(leaf) for leaf in due} == {"int"} and all(
        isinstance(leaf, Numbers) and leaf.form == "number" for leaf in numbers
    ):
        yield evidence.message("float")


def rounded(answers: Sequence[Answer], where: str) -> Iterator[Message]:
    """Right but for digits that a smaller dtype has lost."""
    for answer in answers:
        for place, want in answer.right.leaves.items():
            got = answer.seen.leaves.get(place)
            if _is_narrower(got, want):
                fields = {"got": str(got.values.dtype), "expected": str(want.values.dtype)}  # type: ignore[union-attr]
                yield Message("located.rounded", {"where": where, **fields})


def nearly(answers: Sequence[Answer], where: str) -> Iterator[Message]:
    """Right but for a small error, such as a small number that is added before a division."""
    largest = 0.0
    for answer in answers:
        if not same(answer.right, answer.seen, SMALL):
            return
        largest = max(largest, distance(answer.right, answer.seen))
    if largest > NOISE:
        yield Message("located.nearly", {"where": where, "error": f"{largest:.0e}"})


def _is_narrower(got: Leaf | None, want: Leaf) -> bool:
    if not (isinstance(got, Numbers) and isinstance(want, Numbers)):
        return False
    have, needed = got.values.dtype, want.values.dtype
    return have.kind == needed.kind == "f" and bool(have.itemsize < needed.itemsize)


def is_refused(answer: Answer) -> bool:
    """Whether right code refuses this input."""
    leaf = answer.right.leaves.get(())
    return isinstance(leaf, Plain) and leaf.kind == "refusal"


def _kind(leaf: Leaf | None) -> str:
    return leaf.kind if isinstance(leaf, Plain) else ""
