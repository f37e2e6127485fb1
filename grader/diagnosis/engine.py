r"""Names the mistake that a wrong submission makes, or says that none of the known ones explains it.

    probes --submission--> observations --compare--> mistakes that match --fresh probes--> named | family | unknown
       \--models------------------------^

A mistake is named only where the submission behaves exactly as its model, on every probe and again on fresh ones that
no author has seen. Nothing here gives or takes a point.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain

from grader.course import Course
from grader.diagnosis import first_call
from grader.diagnosis.behaviour import Behaviour, Behaviours, behaviours
from grader.diagnosis.counterexample import smallest
from grader.diagnosis.locating.evidence import Answer
from grader.diagnosis.locating.search import located
from grader.diagnosis.matching import Matching
from grader.diagnosis.models import MistakeModels, Probe
from grader.diagnosis.observation import Observation, observation_of, same
from grader.diagnosis.planned import Planned
from grader.diagnosis.signature import Signature, signature_of
from grader.model import Counterexample, Diagnosis, DiagnosisKind, Exercise, Finding, Message
from grader.sandbox.client import LoadFailed, RemoteSubject, Stopped, Subject

OBJECTS = 1000  # numbers of objects that an observation may make


def diagnose(
    course: Course,
    exercise: Exercise,
    subject: Subject,
    seed: int,
    *,
    collect: Callable[[Signature], None] = lambda _signature: None,
) -> Diagnosis:
    """What the engine of mistakes says of a submission that failed at least one check.

    Args:
        subject: the submission, or trusted code in its place; a submission gets time limits of its own for this.
        seed: decides the fresh probes.
        collect: called with the behaviour of a submission that is wrong and that no mistake explains.

    Raises:
        ContentError: `mistakes.py` of the exercise is not well written.
    """
    path = exercise.solution / "mistakes.py"
    if not path.is_file():
        return Diagnosis(DiagnosisKind.UNKNOWN)  # an exercise without models names nothing
    known = behaviours(path, frozenset(course.mistakes), exercise.defines)
    possible = tuple(known.models.mistakes)
    try:
        case = _Case(course, known, subject, seed)
        said = case.diagnosis(possible)
    except (Stopped, LoadFailed):
        return Diagnosis(DiagnosisKind.NOT_RUN, possible=possible)
    if said.kind in (DiagnosisKind.LOCATED, DiagnosisKind.UNKNOWN) and case.is_wrong:
        right = [known.right.at(index) for index in range(len(known.models.probes))]
        located = said.located.key if said.located else ""
        collect(signature_of(exercise.name, said.kind, located, case.seen, right))
    return said


class _Case:
    """One submission under diagnosis."""

    def __init__(self, course: Course, known: Behaviours, subject: Subject, seed: int) -> None:
        self._course = course
        self._known = known
        self._models: MistakeModels = known.models
        self._subject = subject
        self._matching = Matching(
            known, self._observe_planned, seed, begin=subject.begin_check, ask_ahead=self._ask_ahead
        )
        self._numbers: dict[int, int] = {}
        self._rest_is_wrong = False
        self.seen: Sequence[Observation] = ()  # what it does with each probe, once it was asked

    @property
    def is_wrong(self) -> bool:
        """Whether it is known to differ from right code on some probe, fixed or fresh."""
        right = self._known.right
        return (
            self._rest_is_wrong
            or bool(self._matching.fresh.failed)
            or any(
                observation.asked and not same(observation, right.at(index))
                for index, observation in enumerate(self.seen)
            )
        )

    def diagnosis(self, possible: tuple[str, ...]) -> Diagnosis:
        seen = self._repeated()
        if seen is None:
            return Diagnosis(DiagnosisKind.NOT_REPEATABLE, possible=possible)
        self.seen = seen
        asked = [index for index, observation in enumerate(seen) if observation.asked]
        if not asked:
            return Diagnosis(DiagnosisKind.NOT_RUN, possible=possible)
        wrong = [index for index in asked if not same(seen[index], self._known.right.at(index))]
        matches = self._matching.explained(seen)
        if wrong and not self._at_first(matches) and not self._alone(seen, wrong[0]):
            return Diagnosis(DiagnosisKind.NOT_REPEATABLE, possible=possible)
        if not matches:
            return self._unexplained(seen, possible)
        certain = set.intersection(*(set(match.slugs) for match in matches))
        examples = self._examples(matches, [self._models.probes[index] for index in wrong])
        total = len(asked) + min(self._matching.compared[match] for match in matches)
        findings = [
            Finding(self._course.mistakes[slug], total, total, example, certain=slug in certain)
            for slug, example in examples.items()
        ]
        kind = DiagnosisKind.NAMED if len(matches) == 1 else DiagnosisKind.FAMILY
        return Diagnosis(kind, tuple(sorted(findings, key=lambda finding: not finding.certain)), possible)

    def _unexplained(self, seen: Sequence[Observation], possible: tuple[str, ...]) -> Diagnosis:
        """What is said where no mistake explains what it does with the chosen probes: it is asked all the others."""
        if not self._again(seen):
            return Diagnosis(DiagnosisKind.NOT_REPEATABLE, possible=possible)
        answers = self._all_answers(seen)
        located = self._located(answers)
        wrong = [answer.probe for answer in answers if not same(answer.right, answer.seen)]
        self._rest_is_wrong = bool(wrong)
        example = self._counterexample(None, wrong)
        kind = DiagnosisKind.LOCATED if located else DiagnosisKind.UNKNOWN
        return Diagnosis(kind, possible=possible, counterexample=example, located=located)

    def _ask_ahead(self, planned: Iterable[Planned]) -> None:
        """Send what the next observations ask for, as far as it is known, all at once."""
        each = [one.payloads(self._first_object(one.probe)) for one in planned]
        self._subject.ask_ahead([*chain(*each)])

    def _first_object(self, probe: Probe) -> int:
        """The number of the first object that is made for a probe: the same each time, and no other probe's."""
        return self._numbers.setdefault(id(probe), OBJECTS * len(self._numbers))

    def _observe(self, probe: Probe) -> Observation:
        self._subject.number_objects_from(self._first_object(probe))
        return observation_of(self._models.observe, self._subject, probe)

    def _observe_planned(self, planned: Planned) -> Observation:
        first = self._first_object(planned.probe)
        return planned.observation(self._subject, first, lambda: self._observe(planned.probe))

    def _repeated(self) -> list[Observation] | None:
        """What the submission does with each probe; None where it does something else in another order."""
        planned = self._known.planned
        self._subject.begin_check()
        self._ask_ahead(planned)
        first = [self._observe_planned(one) for one in planned]
        self._subject.begin_check()
        self._ask_ahead(reversed(planned))
        backwards = [self._observe_planned(one) for one in reversed(planned)]
        return first if all(same(a, b) for a, b in zip(first, reversed(backwards), strict=True)) else None

    def _at_first(self, matches: Sequence[Behaviour]) -> bool:
        """Whether its first call, before which it can have kept nothing, already shows what explains it."""
        subject = self._subject
        if not isinstance(subject, RemoteSubject) or not matches:
            return False
        return all(first_call.shows(self._known, match, subject) for match in matches)

    def _alone(self, seen: Sequence[Observation], index: int) -> bool:
        """Whether it does the same with a probe where it was asked nothing before: else it keeps something."""
        if not isinstance(self._subject, RemoteSubject):
            return True  # trusted code
        another = self._subject.another()
        try:
            return same(seen[index], observation_of(self._models.observe, another, self._models.probes[index]))
        finally:
            another.close()

    def _again(self, seen: Sequence[Observation]) -> bool:
        """Whether it does the same once more; what a mistake explains, on fresh probes too, need not be asked again."""
        self._subject.begin_check()
        self._ask_ahead(self._known.planned)
        return all(same(a, self._observe_planned(one)) for a, one in zip(seen, self._known.planned, strict=True))

    def _all_answers(self, seen: Sequence[Observation]) -> list[Answer]:
        """The author's own probes, in their order, then the chosen random ones: those that could be asked."""
        models, right = self._models, self._known.right
        known = {id(probe): (right.at(index), seen[index]) for index, probe in enumerate(models.probes)}
        try:
            for probe, wanted in zip(models.rest, self._known.right_on_rest, strict=True):
                known[id(probe)] = wanted, self._observe(probe)
        except (Stopped, LoadFailed):
            pass  # what was found out before still holds
        order = {id(probe): probe for probe in (*models.written, *models.probes) if id(probe) in known}
        answers = [Answer(probe, *known[place]) for place, probe in order.items()]
        return [answer for answer in answers if answer.seen.asked]

    def _located(self, answers: Sequence[Answer]) -> Message | None:
        """What is wrong, where no mistake explains it."""
        self._subject.begin_check()
        try:
            every = [*answers, *self._matching.fresh.answers()]
            return located(self._models, every, self._known.right.on, self._observe)
        except (Stopped, LoadFailed):
            return None

    def _examples(self, matches: Sequence[Behaviour], wrong: Sequence[Probe]) -> dict[str, Counterexample | None]:
        """Each mistake of the explanations with an input that shows it: it alone, where it shows beside the others."""
        examples: dict[str, Counterexample | None] = {}
        for match in matches:
            for slug in match.slugs:
                if slug not in examples:
                    examples[slug] = self._counterexample(self._known.of((slug,), match.style), wrong)
        first = matches[0].slugs
        lacking = [slug for slug in first if examples[slug] is None]
        if lacking and len(first) > 1:
            examples |= dict.fromkeys(lacking, self._counterexample(matches[0], wrong))
        return examples

    def _counterexample(self, mistake: Behaviour | None, wrong: Sequence[Probe]) -> Counterexample | None:
        self._subject.begin_check()
        try:
            return smallest(self._known, self._subject, mistake, chain(wrong, self._matching.fresh.failed))
        except (Stopped, LoadFailed):
            return None
