"""How right code and each known mistake behave on the probes, run in this process and remembered."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from grader.diagnosis.draws import Draws
from grader.diagnosis.leaves import leaf_distance, leaf_of
from grader.diagnosis.models import MistakeModels, Probe, load_models
from grader.diagnosis.observation import Observation, is_unusable, observation_of, same, wrong_refusals
from grader.diagnosis.planned import Planned
from grader.diagnosis.trusted import Requests, Trusted
from grader.errors import ContentError
from grader.sandbox import objects
from grader.sandbox.wire import Build

_FLAGS = (bool, int, float, str)
MOST_KEPT = 4096  # combinations that are remembered
MOST_DRAWS = 8  # seeds whose fresh probes are
Style = tuple[tuple[str, str], ...]  # stages that change only how a mistake looks, and their options


class Behaviour:
    """Right code, or code with one or several mistakes, that can be asked like a submission.

    Attributes:
        slugs: the mistakes it makes, at most one of each stage; none for right code.
    """

    def __init__(self, models: MistakeModels, slugs: tuple[str, ...], style: Style) -> None:
        self.slugs = slugs
        self.style = style
        self._models = models
        self._subject = Trusted(models.build(**dict(style), **models.options(slugs)))
        self._seen: dict[int, Observation] = {}
        self._seen_small: dict[int, Observation] = {}

    def on(self, probe: Probe) -> Observation:
        """What it does with any probe."""
        return self.does(self._models.observe, probe)

    def does(self, observe: Callable[[Any, Any], object], probe: Probe) -> Observation:
        """As `on`, where something else is asked of it than what the models ask for a probe."""
        self._subject.forget()
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a mistake may well divide by zero, or be warned of
            return observation_of(observe, self._subject, probe)

    def asked_on(self, probe: Probe) -> tuple[Observation, Requests]:
        """What it does with a probe, and what it is asked for that."""
        return self.does(self._models.observe, probe), self._subject.requests

    def at(self, index: int) -> Observation:
        """What it does with the probe of this index among the models' own; run once, then remembered."""
        if index not in self._seen:
            self._seen[index] = self.on(self._models.probes[index])
        return self._seen[index]

    def at_small(self, index: int) -> Observation:
        """What it does with the small probe of this index; run once, then remembered."""
        if index not in self._seen_small:
            self._seen_small[index] = self.on(self._models.small[index])
        return self._seen_small[index]

    def input_changed(self, probe: Probe) -> tuple[str, object, object] | None:
        """The first input that it changes in place, before and after: its name, or that of a part of an object."""
        self.on(probe)
        for name, value in self._models.inputs_of(probe).items():
            given, after = self._subject.given(value) or (None, None)
            before = objects.built(given) if isinstance(given, Build) else given
            for part, old, new in _parts(before, after):
                if leaf_distance(leaf_of(old), leaf_of(new)):
                    return f"{name}.{part}" if part else name, old, new
        return None


def _parts(before: Any, after: Any) -> Iterator[tuple[str, object, object]]:
    """The value itself; of a module its flags and its parameters, by name."""
    if not hasattr(before, "state_dict"):
        yield "", before, after
        return
    flags = {name: value for name, value in vars(before).items() if isinstance(value, _FLAGS)}
    for name, value in {**flags, **before.state_dict()}.items():
        yield name, value, {**vars(after), **after.state_dict()}.get(name)


class Behaviours:
    """Everything that a submission of one exercise is compared with.

    Args:
        kind: what each of them is.
        most_kept: combinations that are remembered, all of them where it is None.

    Attributes:
        styles: every right way to write what STYLES names.
        mistaken: every known mistake in every style.
        planned: the probes of the models, with what right code is asked for each.
        draws: the fresh probes of a seed.
    """

    def __init__(
        self, models: MistakeModels, kind: type[Behaviour] = Behaviour, most_kept: int | None = MOST_KEPT
    ) -> None:
        self.models = models
        self.right = kind(models, (), ())
        self.styles = tuple(models.ways())
        self.mistaken = tuple(kind(models, (slug,), style) for slug in models.mistakes for style in self.styles)
        self._known = {(each.slugs, each.style): each for each in self.mistaken}
        self._shown: dict[tuple[Behaviour, int], bool] = {}
        self._combined = lru_cache(most_kept)(lambda slugs, style: kind(models, slugs, style))
        planned = []
        for probe in models.probes:
            seen, requests = self.right.asked_on(probe)
            self._assert_usable(probe, seen)
            planned.append(Planned(probe, requests))
        self.planned = tuple(planned)
        self.draws = lru_cache(MOST_DRAWS)(lambda seed: Draws(models.fresh_probe, self.right, seed))

    @cached_property
    def right_on_rest(self) -> tuple[Observation, ...]:
        """What right code does with the author's probes that were not chosen."""
        return tuple(map(self.right.on, self.models.rest))

    def try_rest(self) -> None:
        """Raises ContentError where right code has no usable answer to a probe of the author's that was not chosen."""
        for probe, seen in zip(self.models.rest, self.right_on_rest, strict=True):
            self._assert_usable(probe, seen)

    def _assert_usable(self, probe: Probe, seen: Observation) -> None:
        models = self.models
        places = (f"probe {index}" for index, each in enumerate(models.written or models.probes) if each is probe)
        place = next(places, "a probe of fresh_probe")
        if is_unusable(seen) or not seen.asked:
            raise ContentError(
                f"{models.path}: observe: found no usable answer of build() to {place}; "
                "let build() define and observe take apart what the exercise asks for."
            )
        if wrong_refusals(seen):
            raise ContentError(
                f"{models.path}: build: found {wrong_refusals(seen)[0]!r} where {place} must be refused; "
                "let build() raise what the exercise asks for."
            )

    def of(self, slugs: tuple[str, ...], style: Style) -> Behaviour:
        """Code with these mistakes together, no two of one stage; with none of them right code, whatever the style."""
        if not slugs:
            return self.right
        known = self._known.get((slugs, style))
        return known if known is not None else self._combined(slugs, style)

    def shows(self, mistaken: Behaviour, index: int) -> bool:
        """Whether one of the known mistakes differs from right code on this probe; remembered."""
        key = mistaken, index
        if key not in self._shown:
            self._shown[key] = not same(mistaken.at(index), self.right.at(index))
        return self._shown[key]


@cache
def behaviours(path: Path, slugs: frozenset[str], defines: tuple[str, ...]) -> Behaviours:
    """The behaviours of one exercise, see `load_models`; raises ContentError."""
    return Behaviours(load_models(path, slugs, defines))
