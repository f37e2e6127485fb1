"""Behaviours for an audit, which asks thousands of them the same: each is asked once, and what it did is remembered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from grader.diagnosis.behaviour import Behaviour, Behaviours, Style
from grader.diagnosis.models import MistakeModels, Probe
from grader.diagnosis.observation import Observation


class Replay:
    """Draws what `fresh_probe` does, and where it meets a generator in the same state, the same probe again."""

    def __init__(self, fresh_probe: Callable[[np.random.Generator], Probe]) -> None:
        self._fresh_probe = fresh_probe
        self._drawn: dict[str, tuple[Probe, object]] = {}  # state -> the probe, and the state after it
        self._kept: set[int] = set()

    def __call__(self, rng: np.random.Generator) -> Probe:
        state = repr(rng.bit_generator.state)
        if state not in self._drawn:
            probe = self._fresh_probe(rng)
            self._drawn[state] = probe, rng.bit_generator.state
            self._kept.add(id(probe))
        probe, rng.bit_generator.state = self._drawn[state]  # type: ignore[assignment]  # numpy tells no type
        return probe

    def kept(self, probe: Probe) -> bool:
        """Whether this very probe was drawn here."""
        return id(probe) in self._kept


class Recalled(Behaviour):
    """A behaviour that remembers what it did with probes that are drawn again."""

    def __init__(self, models: MistakeModels, slugs: tuple[str, ...], style: Style) -> None:
        super().__init__(models, slugs, style)
        self._replay = models.fresh_probe
        self._did: dict[int, Observation] = {}

    def on(self, probe: Probe) -> Observation:
        """What it does with any probe."""
        if not isinstance(self._replay, Replay) or not self._replay.kept(probe):
            return super().on(probe)
        if id(probe) not in self._did:
            self._did[id(probe)] = super().on(probe)
        return self._did[id(probe)]

    def forget(self) -> None:
        """Let go of what it did with fresh probes."""
        self._did.clear()


def recalled(models: MistakeModels) -> Behaviours:
    """The behaviours of one exercise, none of them forgotten; raises ContentError."""
    return Behaviours(replace(models, fresh_probe=Replay(models.fresh_probe)), Recalled, None)
