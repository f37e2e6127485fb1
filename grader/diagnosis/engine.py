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
from grader.diagnosis.combinations import MOST_PARTS, Combinations
from grader.diagnosis.counterexample import smallest
from grader.diagnosis.locating.evidence import Answer
from grader.diagnosis.locating.search import located
from grader.diagnosis.models import MistakeModels, Probe
from grader.diagnosis.observation import Observation, observation_of, same, text_fits
from grader.model import Counterexample, Diagnosis, DiagnosisKind, Exercise, Finding, Message
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
        self._fresh: list[tuple[Probe, Observation | None]] = []  # drawn, and asked where that was worth it
        self._failed: list[Probe] = []  # probes on which the submission differs from right code

    def diagnosis(self, possible: tuple[str, ...]) -> Diagnosis:
        seen = self._repeated()
        if seen is None:
            return Diagnosis(DiagnosisKind.NOT_REPEATABLE, possible=possible)
        asked = [index for index, observation in enumerate(seen) if observation.asked]
        if not asked:
            return Diagnosis(DiagnosisKind.NOT_RUN, possible=possible)
        wrong = [index for index in asked if not same(seen[index], self._known.right.at(index))]
        self._failed = [self._models.probes[index] for index in wrong]
        matches, fresh = self._explained(seen, asked, wrong)
        example = self._counterexample(matches[0] if matches else None)
        if not matches:
            located = self._located(seen, asked)
            kind = DiagnosisKind.LOCATED if located else DiagnosisKind.UNKNOWN
            return Diagnosis(kind, possible=possible, counterexample=example, located=located)
        total = len(asked) + fresh
        return self._named(matches, possible, total, example)

    def _named(
        self, matches: Sequence[Behaviour], possible: tuple[str, ...], total: int, example: Counterexample | None
    ) -> Diagnosis:
        explanations = {match.slugs for match in matches}  # in several styles, a mistake is still one
        certain = set.intersection(*map(set, explanations))
        slugs = dict.fromkeys(slug for match in matches for slug in match.slugs)
        findings = [Finding(self._course.mistakes[s], total, total, example, certain=s in certain) for s in slugs]
        kind = DiagnosisKind.NAMED if len(explanations) == 1 else DiagnosisKind.FAMILY
        return Diagnosis(kind, tuple(sorted(findings, key=lambda finding: not finding.certain)), possible)

    def _located(self, seen: Sequence[Observation], asked: Sequence[int]) -> Message | None:
        """What is wrong, where no mistake explains it."""
        self._take_time()
        right = self._known.right
        answers = [Answer(self._models.probes[index], right.at(index), seen[index]) for index in asked]
        try:
            for number in range(FRESH):
                probe, answer = self._fresh_probe(number), self._fresh_answer(number)
                if answer.asked:
                    answers.append(Answer(probe, right.on(probe), answer))
            return located(self._models, answers, right.on, self._observe)
        except (Stopped, LoadFailed):
            return None

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

    def _explained(
        self, seen: Sequence[Observation], asked: Sequence[int], wrong: Sequence[int]
    ) -> tuple[list[Behaviour], int]:
        """What does the same as the submission everywhere, of as few mistakes as possible, and how many fresh probes.

        More mistakes at a time are looked at only where fewer explain nothing.
        """
        order = [*wrong, *(index for index in asked if index not in wrong)]  # most candidates fall at the first probe
        singles = [m for m in self._known.mistaken if all(same(seen[index], m.at(index)) for index in order)]
        if not wrong:
            return self._confirmed([], seen, wrong)  # a fresh probe may still show what is wrong
        found, fresh = self._confirmed(singles, seen, wrong)
        if found:
            return found, fresh
        search = Combinations(self._known, seen, wrong)
        for _parts in range(2, MOST_PARTS + 1):
            found, fresh = self._confirmed(search.next_size(), seen, wrong)
            if found:
                break
        return found, fresh

    def _confirmed(
        self, matching: Sequence[Behaviour], seen: Sequence[Observation], wrong: Sequence[int]
    ) -> tuple[list[Behaviour], int]:
        """Those that do the same on fresh probes too, each of their mistakes showing on one at least; and how many."""
        if wrong and not matching:
            return [], 0
        self._take_time()
        hidden = {  # mistakes that have not shown yet
            found: set(found.slugs)
            for found in matching
            if _told_alike([(seen[index], found.at(index)) for index in wrong])
        }
        fresh = 0
        for drawn in range(MOST_FRESH):
            if fresh >= FRESH and not any(hidden.values()):
                break
            probe = self._fresh_probe(drawn)
            shown = {found: self._shown(found, probe) for found in hidden}
            if fresh >= FRESH and not any(shown[found] & hidden[found] for found in hidden):
                continue  # not worth asking: it would show nothing new
            answer = self._fresh_answer(drawn)
            if answer.asked:
                fresh += 1
                hidden = {f: left - shown[f] for f, left in hidden.items() if same(answer, f.on(probe))}
        return [found for found, left in hidden.items() if not left], fresh

    def _shown(self, found: Behaviour, probe: Probe) -> set[str]:
        """The mistakes without which it would do something else with this probe."""
        whole = found.on(probe)
        fewer = {slug: tuple(other for other in found.slugs if other != slug) for slug in found.slugs}
        return {slug for slug, rest in fewer.items() if not same(whole, self._known.of(rest, found.style).on(probe))}

    def _fresh_probe(self, number: int) -> Probe:
        if number == len(self._fresh):
            self._fresh.append((self._models.fresh_probe(self._rng), None))
        return self._fresh[number][0]

    def _fresh_answer(self, number: int) -> Observation:
        """What the submission does with a fresh probe; it is asked once."""
        probe, answer = self._fresh[number]
        if answer is None:
            answer = self._observe(probe)
            self._fresh[number] = probe, answer
            if answer.asked and not same(answer, self._known.right.on(probe)):
                self._failed.append(probe)
        return answer

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
