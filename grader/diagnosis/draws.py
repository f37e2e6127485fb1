"""Fresh probes, which no author has seen, and what our own code does with them; drawn once for each seed."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from grader.diagnosis.models import Probe
from grader.diagnosis.planned import Planned

if TYPE_CHECKING:
    from grader.diagnosis.behaviour import Behaviour

MOST_DOING = 32  # mistakes of which is remembered what they do with a draw


class Drawn(Planned):
    """One fresh probe.

    Attributes:
        right: what right code does with it.
        done_by: what code with some mistakes does with it.
    """

    def __init__(self, probe: Probe, right: Behaviour) -> None:
        self.right, requests = right.asked_on(probe)
        super().__init__(probe, requests)
        self.done_by = lru_cache(MOST_DOING)(lambda mistaken: mistaken.on(probe))


class Draws:
    """The fresh probes of one seed, the same for every submission that is asked them."""

    def __init__(self, fresh_probe: Callable[[np.random.Generator], Probe], right: Behaviour, seed: int) -> None:
        self._fresh_probe = fresh_probe
        self._right = right
        self._rng = np.random.default_rng(seed)
        self._drawn: list[Drawn] = []

    def at(self, number: int) -> Drawn:
        """The draw of this number, from 0."""
        while number >= len(self._drawn):
            self._drawn.append(Drawn(self._fresh_probe(self._rng), self._right))
        return self._drawn[number]
