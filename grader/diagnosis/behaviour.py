"""How right code and each known mistake behave on the probes, run in this process and remembered."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np

from grader.diagnosis.models import MistakeModels, Probe, load_models
from grader.diagnosis.observation import Observation, is_unusable, observation_of
from grader.errors import ContentError
from grader.sandbox.client import LocalSubject


class Behaviour:
    """Right code, or code with one or several mistakes, that can be asked like a submission.

    Attributes:
        slugs: the mistakes it makes, at most one of each stage; none for right code.
    """

    def __init__(self, models: MistakeModels, slugs: tuple[str, ...], style: Mapping[str, str]) -> None:
        self.slugs = slugs
        self._models = models
        self._built = models.build(**style, **models.options(slugs))
        self._subject = LocalSubject(self._built)
        self._seen: dict[int, Observation] = {}

    def on(self, probe: Probe) -> Observation:
        """What it does with any probe."""
        with np.errstate(all="ignore"):  # a mistake may well divide by zero
            return observation_of(self._models.observe, self._subject, probe)

    def at(self, index: int) -> Observation:
        """What it does with the probe of this index among the models' own; run once, then remembered."""
        if index not in self._seen:
            self._seen[index] = self.on(self._models.probes[index])
        return self._seen[index]

    def input_changed(self, probe: Probe) -> tuple[str, object] | None:
        """The first input that it changes in place, as it is afterwards; None where that cannot be seen."""
        inputs = copy.deepcopy(dict(probe))
        with np.errstate(all="ignore"):
            try:
                self._models.observe(self._built, inputs)
            except Exception:  # noqa: BLE001 - only what happened to the inputs is of interest, whatever it raises
                return None
        for name, value in self._models.inputs_of(inputs).items():
            if isinstance(value, np.ndarray) and value.tobytes() != np.asarray(probe[name]).tobytes():
                return name, value
        return None


class Behaviours:
    """Everything that a submission of one exercise is compared with."""

    def __init__(self, models: MistakeModels) -> None:
        self.models = models
        self.right = Behaviour(models, (), {})
        self.mistaken = tuple(Behaviour(models, (slug,), style) for slug in models.mistakes for style in models.ways())
        for index in range(len(models.probes)):
            seen = self.right.at(index)
            if is_unusable(seen) or not seen.asked:
                raise ContentError(
                    f"{models.path}: observe: found no usable answer of build() to probe {index}; "
                    "let build() define and observe take apart what the exercise asks for."
                )


@cache
def behaviours(path: Path, slugs: frozenset[str], defines: tuple[str, ...]) -> Behaviours:
    """The behaviours of one exercise, see `load_models`; raises ContentError."""
    return Behaviours(load_models(path, slugs, defines))
