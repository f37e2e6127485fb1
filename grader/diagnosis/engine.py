r"""Names the mistake that a wrong submission makes, or says that none of the known ones explains it.

    probes --submission--> observations --compare--> mistakes that match --fresh probes--> named | family | unknown
       \--models------------------------^

A mistake is named only where the submission behaves exactly as its model, on every probe and again on fresh ones that
no author has seen. Nothing here gives or takes a point.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from grader.course import Course
from grader.diagnosis.behaviour import Behaviour, Behaviours, behaviours
from grader.diagnosis.counterexample import smallest
from grader.diagnosis.models import MistakeModels, Probe
from grader.diagnosis.observation import Observation, observation_of, same, text_fits
from grader.model import Counterexample, Diagnosis, DiagnosisKind, Exercise, Finding
from grader.sandbox.client import LoadFailed, RemoteSubject, Stopped, Subject

FRESH = 12  # fresh probes at least
MOST_FRESH = 240  # drawn at most, until one shows the mistake; drawing is cheap, asking is not


def diagnose(course: Course, exercise: Exercise, subject: Subject, seed: int) -> Diagnosis:
    """What the engine of mistakes says of a submission that failed at least one check.

    Args:
        subject: the submission, or trusted code in its place; a submission gets time limits of its own for this.
        seed: decides the fresh probes; derive it from the submission, so that they cannot be known beforehand.

    Raises:
        ContentError: `mistakes.py` of the exercise is not well written.
    """
    path = exercise.solution / "mistakes.py"
    if not path.is_file():
        return Diagnosis(DiagnosisKind.UNKNOWN)  # an exercise without models names nothing
    known = behaviours(path, frozenset(course.mistakes), exercise.defines)
    possible = tuple(known.models.mistakes)
    try:
        return _Case(course, known, subject, seed).diagnosis(possible)
    except (Stopped, LoadFailed):
        return Diagnosis(DiagnosisKind.NOT_RUN, possible=possible)


class _Case:
    """One submission under diagnosis."""

    def __init__(self, course: Course, known: Behaviours, subject: Subject, seed: int) -> None:
        self._course = course
        self._known = known
        self._models: MistakeModels = known.models
        self._subject = subject
        self._rng = np.random.default_rng(seed % 2**64)
        self._failed: list[Probe] = []  # probes on which the submission differs from right code
        self._asked = 0  # probes that the submission could be asked

    def diagnosis(self, possible: tuple[str, ...]) -> Diagnosis:
        seen = self._repeated()
        if seen is None:
            return Diagnosis(DiagnosisKind.NOT_REPEATABLE, possible=possible)
        asked = [index for index, observation in enumerate(seen) if observation.asked]
        if not asked:
            return Diagnosis(DiagnosisKind.NOT_RUN, possible=possible)
        matches = self._confirmed(self._matching(seen, asked))
        mistake = matches[0] if matches else None
        example = self._counterexample(mistake)
        if mistake is None:
            return Diagnosis(DiagnosisKind.UNKNOWN, possible=possible, counterexample=example)
        explanations = {match.slugs for match in matches}  # in several styles, a mistake is still one
        kind = DiagnosisKind.NAMED if len(explanations) == 1 else DiagnosisKind.FAMILY
        slugs = dict.fromkeys(slug for match in matches for slug in match.slugs)
        mistakes = [self._course.mistakes[slug] for slug in slugs]
        findings = tuple(Finding(mistake, self._asked, self._asked, example) for mistake in mistakes)
        return Diagnosis(kind, findings, possible)

    def _take_time(self) -> None:
        """Give the submission the time of one more check."""
        if isinstance(self._subject, RemoteSubject):
            self._subject.begin_check()

    def _observe(self, probe: Probe) -> Observation:
        return observation_of(self._models.observe, self._subject, probe)

    def _repeated(self) -> list[Observation] | None:
        """What the submission does with each probe; None where it does not do it twice, and once in another order."""
        probes = self._models.probes
        self._take_time()
        first = [self._observe(probe) for probe in probes]
        self._take_time()
        second = [self._observe(probe) for probe in probes]
        self._take_time()
        backwards = [self._observe(probe) for probe in reversed(probes)]
        again = [*zip(first, second, strict=True), *zip(first, reversed(backwards), strict=True)]
        return first if all(same(a, b) for a, b in again) else None

    def _matching(self, seen: Sequence[Observation], asked: Sequence[int]) -> list[Behaviour]:
        """The known mistakes that do the same on every probe, where that is not what right code does."""
        wrong = [index for index in asked if not same(seen[index], self._known.right.at(index))]
        self._failed = [self._models.probes[index] for index in wrong]
        self._asked = len(asked)
        if not wrong:
            return []
        order = [*wrong, *(index for index in asked if index not in wrong)]  # most candidates fall at the first probe
        return [
            mistaken
            for mistaken in self._known.mistaken
            if all(same(seen[index], mistaken.at(index)) for index in order)
            and _told_alike([(seen[index], mistaken.at(index)) for index in wrong])
        ]

    def _confirmed(self, matching: Sequence[Behaviour]) -> list[Behaviour]:
        """Those that do the same on fresh probes too, at least one of which shows the mistake."""
        self._take_time()
        left = list(matching)
        fresh, shown = 0, False  # probes asked; whether the submission was wrong on one of them
        for _ in range(MOST_FRESH):
            if fresh >= FRESH and (shown or not left):
                break
            probe = self._models.fresh_probe(self._rng)
            right = self._known.right.on(probe)
            if fresh >= FRESH and all(same(right, mistaken.on(probe)) for mistaken in left):
                continue  # not worth asking: it would show nothing
            seen = self._observe(probe)
            if not seen.asked:
                continue
            fresh += 1
            if not same(seen, right):
                shown = True
                self._failed.append(probe)
            left = [mistaken for mistaken in left if same(seen, mistaken.on(probe))]
        self._asked += fresh
        return left if shown else []

    def _counterexample(self, mistake: Behaviour | None) -> Counterexample | None:
        self._take_time()
        try:
            return smallest(self._known, self._subject, mistake, self._failed)
        except (Stopped, LoadFailed):
            return None  # what was found out before still holds


def _told_alike(shown: Sequence[tuple[Observation, Observation]]) -> bool:
    """Whether the evidence is more than "both raise something": where most of it is exceptions, their texts must fit.

    Args:
        shown: what the submission and the model do on each probe that shows the mistake.
    """
    raised = [(seen.raised, model.raised) for seen, model in shown if seen.raised and model.raised]
    return 2 * len(raised) <= len(shown) or all(text_fits(seen, model) for seen, model in raised)
