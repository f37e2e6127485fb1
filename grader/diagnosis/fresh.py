"""Confirms on fresh probes, which no author has seen, what matches a submission on the authors' own."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from grader.diagnosis.behaviour import Behaviour, Behaviours
from grader.diagnosis.draws import Drawn
from grader.diagnosis.locating.evidence import Answer
from grader.diagnosis.models import Probe
from grader.diagnosis.observation import Observation, same
from grader.diagnosis.planned import Planned

ENOUGH = 12  # fresh probes at least
MOST_DRAWN = 240  # drawn at most, until one shows the mistake; drawing is cheap, asking is not


class FreshProbes:
    """Fresh probes for one submission, which is asked each of them at most once.

    Args:
        ask: what the submission does with a probe.
        ask_ahead: called with the probes that come next.
    """

    def __init__(
        self,
        known: Behaviours,
        ask: Callable[[Planned], Observation],
        seed: int,
        ask_ahead: Callable[[Iterable[Planned]], None] = lambda _planned: None,
    ) -> None:
        self._known = known
        self._ask = ask
        self._ask_ahead = ask_ahead
        self._draws = known.draws(seed)
        self._answers: dict[int, Observation] = {}  # of the submission, by the number of the draw

    def answers(self) -> Iterator[Answer]:
        """The first of them, both answers, where the submission could be asked."""
        for number in range(ENOUGH):
            drawn, answer = self._draws.at(number), self._answer(number)
            if answer.asked:
                yield Answer(drawn.probe, drawn.right, answer)

    @property
    def failed(self) -> Iterator[Probe]:
        """Those on which the submission is known to differ from right code."""
        for number, answer in sorted(self._answers.items()):
            drawn = self._draws.at(number)
            if answer.asked and not same(answer, drawn.right):
                yield drawn.probe

    def confirmed(self, found: Behaviour) -> int:
        """On how many of them it does the same as the submission; 0 where it is refuted on one.

        Each of its mistakes has to show on one of them at least: without it, it would do something else there.
        """
        if not self._answers:
            self._ask_ahead(map(self._draws.at, range(ENOUGH)))
        hidden = set(found.slugs)
        compared = 0
        for number in range(MOST_DRAWN):
            if compared >= ENOUGH and not hidden:
                return compared
            drawn = self._draws.at(number)
            does = drawn.done_by(found)
            shown = self._shown(found, hidden, drawn, does)
            if compared >= ENOUGH and not shown:
                continue  # not worth asking: it would show nothing new
            answer = self._answer(number)
            if not answer.asked:
                continue
            if not same(answer, does):
                return 0
            compared += 1
            hidden -= shown
        return 0

    def _shown(self, found: Behaviour, hidden: Collection[str], drawn: Drawn, does: Observation) -> set[str]:
        """Those of its hidden mistakes without which it would do something else with this probe."""
        shown = set()
        for slug in hidden:
            rest = tuple(other for other in found.slugs if other != slug)
            without = drawn.done_by(self._known.of(rest, found.style)) if rest else drawn.right
            if not same(does, without):
                shown.add(slug)
        return shown

    def _answer(self, number: int) -> Observation:
        if number not in self._answers:
            self._answers[number] = self._ask(self._draws.at(number))
        return self._answers[number]
