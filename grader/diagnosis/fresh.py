"""Fresh probes, drawn from a seed that nobody knew beforehand: what matches the authors' own has to match these too."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from grader.diagnosis.behaviour import Behaviour, Behaviours
from grader.diagnosis.locating.evidence import Answer
from grader.diagnosis.models import Probe
from grader.diagnosis.observation import Observation, same
from grader.diagnosis.trusted import Requests

ENOUGH = 12  # fresh probes at least
MOST_DRAWN = 240  # drawn at most, until one shows the mistake; drawing is cheap, asking is not


@dataclass
class _Drawn:
    probe: Probe
    answer: Observation | None = None  # of the submission, once it was asked
    right: Observation | None = None  # once somebody wants to know


class FreshProbes:
    """Fresh probes for one submission, which is asked each of them at most once.

    Args:
        ask: what the submission does with a probe.
        ask_ahead: called with the next probes and what is asked for each.
    """

    def __init__(
        self,
        known: Behaviours,
        ask: Callable[[Probe], Observation],
        seed: int,
        ask_ahead: Callable[[Iterable[tuple[Probe, Requests]]], None] = lambda _planned: None,
    ) -> None:
        self._known = known
        self._ask = ask
        self._ask_ahead = ask_ahead
        self._rng = np.random.default_rng(seed % 2**64)
        self._drawn: list[_Drawn] = []

    def answers(self) -> Iterator[Answer]:
        """The first of them, both answers, where the submission could be asked."""
        for number in range(ENOUGH):
            drawn, answer = self._draw(number), self._answer(number)
            if answer.asked:
                yield Answer(drawn.probe, self._right(drawn), answer)

    @property
    def failed(self) -> Iterator[Probe]:
        """Those on which the submission is known to differ from right code."""
        for drawn in self._drawn:
            if drawn.answer and drawn.answer.asked and not same(drawn.answer, self._right(drawn)):
                yield drawn.probe

    def confirmed(self, found: Behaviour) -> int:
        """On how many of them it does the same as the submission; 0 where it is refuted on one.

        Each of its mistakes has to show on one of them at least: without it, it would do something else there.
        """
        known = self._asked_ahead(found) if not self._drawn else []
        hidden = set(found.slugs)
        compared = 0
        for number in range(MOST_DRAWN):
            if compared >= ENOUGH and not hidden:
                return compared
            drawn = self._draw(number)
            does = known[number] if number < len(known) else found.on(drawn.probe)
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

    def _asked_ahead(self, found: Behaviour) -> list[Observation]:
        """What it does with the first of them; the submission is sent what it was asked for that, all at once."""
        does: list[Observation] = []
        planned: list[tuple[Probe, Requests]] = []
        for number in range(ENOUGH):
            probe = self._draw(number).probe
            does.append(found.on(probe))
            planned.append((probe, found.requests))
        self._ask_ahead(planned)
        return does

    def _shown(self, found: Behaviour, hidden: Collection[str], drawn: _Drawn, does: Observation) -> set[str]:
        """Those of its hidden mistakes without which it would do something else with this probe."""
        shown = set()
        for slug in hidden:
            rest = tuple(other for other in found.slugs if other != slug)
            without = self._known.of(rest, found.style).on(drawn.probe) if rest else self._right(drawn)
            if not same(does, without):
                shown.add(slug)
        return shown

    def _draw(self, number: int) -> _Drawn:
        if number == len(self._drawn):
            probe = self._known.models.fresh_probe(self._rng)
            self._drawn.append(_Drawn(probe))
        return self._drawn[number]

    def _right(self, drawn: _Drawn) -> Observation:
        if drawn.right is None:
            drawn.right = self._known.right.on(drawn.probe)
        return drawn.right

    def _answer(self, number: int) -> Observation:
        drawn = self._drawn[number]
        if drawn.answer is None:
            drawn.answer = self._ask(drawn.probe)
        return drawn.answer
